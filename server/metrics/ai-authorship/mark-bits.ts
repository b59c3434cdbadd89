import { type MarkKind, markKinds } from './classes.ts';
import type { Marks } from './classify.ts';

const branchOnlyBit = 1 << markKinds.length;
const beforeRowBit = branchOnlyBit << 1;
/** Its head branch speaks for an agent, and through which app it was opened was not read yet. */
export const openerUnreadBit = beforeRowBit << 1;
/** That was read. */
export const openerReadBit = openerUnreadBit << 1;
const machineBit = openerReadBit << 1;

interface FoundSigns
  extends Pick<Marks, 'kinds'>,
    Partial<Pick<Marks, 'isBranchOnly' | 'isBeforeRow' | 'isOpenerWanted' | 'isOfMachine'>> {
  isOpenerRead?: boolean;
}

/** What was found at a pull request as one number: a bit for each kind of mark, then those for what is no mark. */
export const toBits = ({
  kinds,
  isBranchOnly,
  isBeforeRow,
  isOpenerWanted,
  isOpenerRead,
  isOfMachine,
}: FoundSigns): number =>
  [...new Set(kinds)].reduce((bits, kind) => bits | (1 << markKinds.indexOf(kind)), 0) |
  (isBranchOnly ? branchOnlyBit : 0) |
  (isBeforeRow ? beforeRowBit : 0) |
  (isOpenerWanted ? openerUnreadBit : 0) |
  (isOpenerRead ? openerReadBit : 0) |
  (isOfMachine ? machineBit : 0);

/** The kinds of marks in such a number. */
export const kindsIn = (bits: number): MarkKind[] => markKinds.filter((kind) => hasKind(bits, kind));

export const hasKind = (bits: number, kind: MarkKind): boolean => (bits & (1 << markKinds.indexOf(kind))) !== 0;

/** A head branch as an agent names them, and nothing else. */
export const isBranchOnly = (bits: number): boolean => (bits & branchOnlyBit) !== 0;

/** Something matched a row that does not count for its date. */
export const isBeforeRow = (bits: number): boolean => (bits & beforeRowBit) !== 0;

/** Opened by an account that the platform or the settings of the service call a bot. */
export const isOpenedByMachine = (bits: number): boolean => (bits & machineBit) !== 0;
