// Parts that several answers have alike, field by field.

export const coverageFields = { complete: true, expected: true, read: true, cap: true, reasons: true } as const;

export const intervalFields = { low: true, high: true } as const;
