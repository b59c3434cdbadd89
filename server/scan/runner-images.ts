/**
 * Runner images that are gone, by the day on which the platform stopped offering them, as published in
 * https://github.com/actions/runner-images. Extend it when an image's last day has passed.
 */
export const retiredImages: Readonly<Record<string, string>> = {
  'macos-10.15': '2022-12-01',
  'macos-11': '2024-06-28',
  'macos-12': '2024-12-03',
  'macos-13': '2025-12-04',
  'macos-14': '2026-11-02',
  'ubuntu-16.04': '2021-09-20',
  'ubuntu-18.04': '2023-04-03',
  'ubuntu-20.04': '2025-04-15',
  'windows-2016': '2022-04-01',
  'windows-2019': '2025-06-30',
};
