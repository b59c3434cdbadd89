/** Whether a part of one of the texts is `q`, in any case; without `q` everything is wanted. */
export function hasName(texts: readonly (string | null)[], q: string | null | undefined): boolean {
  const wanted = q?.trim().toLowerCase();
  return !wanted || texts.some((text) => text?.toLowerCase().includes(wanted));
}
