/** A character and where it is. */
export interface HiddenCharacter {
  character: string;
  index: number;
}

/** Characters that reverse the order of what follows, so that a line reads otherwise than it runs. */
export const findTurning = (text: string): HiddenCharacter[] => find(text, turning);

/** Characters that cannot be seen. */
export const findInvisible = (text: string): HiddenCharacter[] =>
  find(text, invisible).filter(({ character }) => !character.startsWith(flag));

const turning = /[\u202A-\u202E\u2066-\u2069]/gu;

/**
 * Joiners, which emoji and some scripts need, are not among them; neither are the tags that make a black flag the flag
 * of a region, which are matched together with it.
 */
const invisible = /\u{1F3F4}[\u{E0020}-\u{E007E}]*\u{E007F}?|[\u200B\u2060-\u2064\u180E\u{E0001}\u{E0020}-\u{E007F}]/gu;
const flag = '\u{1F3F4}';

/** None of them is among these, which is quickly seen. */
const beyondAscii = /[^\0-\x7F]/;

const find = (text: string, characters: RegExp): HiddenCharacter[] =>
  beyondAscii.test(text) ? [...text.matchAll(characters)].map(({ 0: character, index }) => ({ character, index })) : [];
