const id = /^[0-9a-f]{16}$/;

/** The recommendations that an address chooses: as `ids=a,b`, or each by a box of its name that was ticked. */
export function chosenIds(search: URLSearchParams): { ids: string[]; isTicked: boolean } {
  const ticked = [...search.keys()].filter((key) => id.test(key));
  const listed = (search.get('ids') ?? '').split(',').filter((one) => id.test(one));
  return { ids: [...new Set([...listed, ...ticked])], isTicked: ticked.length > 0 };
}
