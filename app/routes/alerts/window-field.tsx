import { SelectField } from '../../components/field.tsx';
import { windowText } from './labels.ts';

/** Windows that rules usually have, in hours. */
const usualHours = [1, 6, 12, 24, 48, 72, 168, 336, 720, 1080, 2160];

interface Props {
  name: string;
  /** Hours; a rule made through the API may have others than the usual ones. */
  value: string | number | null;
  error?: string | undefined;
}

/** The window of a rule, chosen in the units in which it is shown. */
export function WindowField({ name, value, error }: Props) {
  const chosen = Number(value);
  const isOther = Number.isInteger(chosen) && chosen > 0 && !usualHours.includes(chosen);
  const hours = isOther ? [...usualHours, chosen].sort((a, b) => a - b) : usualHours;
  return (
    <SelectField
      name={name}
      label="Window"
      required
      value={String(chosen)}
      {...(error !== undefined && { error })}
      options={hours.map((one) => ({ value: String(one), label: windowText(one) }))}
    />
  );
}
