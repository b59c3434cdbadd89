import type { Instant } from '../kernel/facts.ts';

export type RunnerOs = 'linux' | 'macos' | 'windows';

/** One line of the price book: what a minute of one kind of runner costs while the line is valid. */
export interface RunnerPrice {
  /** As the platform's bill names it, without the product before it: `linux_4_core`. */
  sku: string;
  os: RunnerOs;
  arch: 'x64' | 'arm64';
  cores: number;
  gpu: boolean;
  usdPerMinute: number;
  /** null: since before this book begins. */
  validFrom: Instant | null;
  /** The first instant at which it no longer holds; null: still valid. */
  validTo: Instant | null;
}

/** What runners an organization set up itself are billed as, by the label that jobs ask for. */
export type LargerRunnerLabels = Readonly<Record<string, string>>;

type Line = [sku: string, cores: number, until2025: number | null, from2026: number];

/** Prices per minute of the platform's public reference, as of October 2026. A line without an earlier price is new. */
const lines = {
  'linux x64': [
    ['linux_slim', 1, 0.002, 0.002],
    ['linux', 2, 0.008, 0.006],
    ['linux_2_core_advanced', 2, 0.008, 0.006],
    ['linux_4_core', 4, 0.016, 0.012],
    ['linux_8_core', 8, 0.032, 0.022],
    ['linux_16_core', 16, 0.064, 0.042],
    ['linux_32_core', 32, 0.128, 0.082],
    ['linux_64_core', 64, 0.256, 0.162],
    ['linux_96_core', 96, 0.384, 0.252],
  ],
  'linux arm64': [
    ['linux_arm', 2, null, 0.005],
    ['linux_2_core_arm', 2, 0.005, 0.005],
    ['linux_4_core_arm', 4, 0.01, 0.008],
    ['linux_8_core_arm', 8, 0.02, 0.014],
    ['linux_16_core_arm', 16, 0.04, 0.026],
    ['linux_32_core_arm', 32, 0.08, 0.05],
    ['linux_64_core_arm', 64, 0.16, 0.098],
  ],
  'linux x64 gpu': [['linux_4_core_gpu', 4, 0.07, 0.052]],
  'windows x64': [
    ['windows', 2, 0.016, 0.01],
    ['windows_4_core', 4, 0.032, 0.022],
    ['windows_8_core', 8, 0.064, 0.042],
    ['windows_16_core', 16, 0.128, 0.082],
    ['windows_32_core', 32, 0.256, 0.162],
    ['windows_64_core', 64, 0.512, 0.322],
    ['windows_96_core', 96, 0.768, 0.552],
  ],
  'windows arm64': [
    ['windows_arm', 2, null, 0.01],
    ['windows_2_core_arm', 2, 0.01, 0.008],
    ['windows_4_core_arm', 4, 0.02, 0.014],
    ['windows_8_core_arm', 8, 0.04, 0.026],
    ['windows_16_core_arm', 16, 0.08, 0.05],
    ['windows_32_core_arm', 32, 0.16, 0.098],
    ['windows_64_core_arm', 64, 0.32, 0.194],
  ],
  'windows x64 gpu': [['windows_4_core_gpu', 4, 0.14, 0.102]],
  'macos x64': [['macos_l', 12, 0.12, 0.077]],
  'macos arm64': [
    ['macos', 3, 0.08, 0.062],
    ['macos_xl', 5, 0.16, 0.102],
  ],
} satisfies Partial<Record<`${RunnerOs} ${RunnerPrice['arch']}${'' | ' gpu'}`, Line[]>>;

const in2026 = Date.UTC(2026, 0, 1);

/** Every price there is or was, each with the time it holds. */
export const runnerPrices: readonly RunnerPrice[] = Object.entries(lines).flatMap(([kind, ofKind]) =>
  ofKind.flatMap((line) => datedLines(kind, line)),
);

/** From when on other prices hold than before, in order. */
export const priceChanges: readonly Instant[] = [
  ...new Set(runnerPrices.flatMap(({ validFrom }) => validFrom ?? [])),
].sort((a, b) => a - b);

/** The standard runners: free in public repositories, and the only ones that included minutes cover. */
export const standardSkus: ReadonlySet<string> = new Set([
  'linux_slim',
  'linux',
  'linux_arm',
  'windows',
  'windows_arm',
  'macos',
]);

/** The line of a SKU that holds at the time; null for what is not in the book, never a default. */
export function findPrice(sku: string, at: Instant): RunnerPrice | null {
  const holds = ({ validFrom, validTo }: RunnerPrice) =>
    (validFrom === null || at >= validFrom) && (validTo === null || at < validTo);
  return runnerPrices.find((price) => price.sku === sku && holds(price)) ?? null;
}

/**
 * The SKU that a job's labels are billed as: labels the organization set up first, then the exact labels of hosted
 * runners. null for all others. Compared without regard to case.
 */
export function findSku(labels: readonly string[], largerRunnerLabels: LargerRunnerLabels = {}): string | null {
  const own = new Map(Object.entries(largerRunnerLabels).map(([label, sku]) => [label.toLowerCase(), sku]));
  const lowerCased = labels.map((label) => label.toLowerCase());
  const configured = lowerCased.map((label) => own.get(label)).find((sku) => sku !== undefined);
  return configured ?? lowerCased.map(hostedSku).find((sku) => sku !== null) ?? null;
}

/** The line's name in the book for a SKU as a bill writes it: `actions_linux`, `Actions Linux 4-core`. */
export function billedSku(written: string): string | null {
  const plain = written
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
    .replace(/^actions_/, '');
  const sku = otherNames[plain] ?? plain;
  return runnerPrices.some((price) => price.sku === sku) ? sku : null;
}

const otherNames: Record<string, string> = {
  macos_large: 'macos_l',
  macos_12_core: 'macos_l',
  macos_xlarge: 'macos_xl',
};

const hostedLabels: readonly [RegExp, string][] = [
  [/^ubuntu-slim$/, 'linux_slim'],
  [/^ubuntu-(latest|\d\d\.\d\d)$/, 'linux'],
  [/^ubuntu-(latest|\d\d\.\d\d)-arm$/, 'linux_arm'],
  [/^windows-(latest|20\d\d(-vs20\d\d)?)$/, 'windows'],
  [/^windows-(latest|\d\d)-arm$/, 'windows_arm'],
  [/^macos-(latest|\d\d(\.\d+)?)(-intel)?$/, 'macos'],
  [/^macos-(latest|\d\d(\.\d+)?)-large$/, 'macos_l'],
  [/^macos-(latest|\d\d(\.\d+)?)-xlarge$/, 'macos_xl'],
];

const hostedSku = (label: string) => hostedLabels.find(([pattern]) => pattern.test(label))?.[1] ?? null;

function datedLines(kind: string, [sku, cores, until2025, from2026]: Line): RunnerPrice[] {
  const [os, arch, gpu] = kind.split(' ') as [RunnerOs, RunnerPrice['arch'], string | undefined];
  const about = { sku, os, arch, cores, gpu: gpu !== undefined };
  const now = { ...about, usdPerMinute: from2026, validTo: null };
  if (until2025 === null) return [{ ...now, validFrom: in2026 }];
  if (until2025 === from2026) return [{ ...now, validFrom: null }];
  return [
    { ...about, usdPerMinute: until2025, validFrom: null, validTo: in2026 },
    { ...now, validFrom: in2026 },
  ];
}
