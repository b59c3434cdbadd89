import { TextAreaField } from '../../components/field.tsx';
import type { submittedField } from '../../components/form.tsx';
import type { Rule } from './labels.ts';

/** The fields of what a rule says to people. */
export const ruleNoteNames = ['owner_note'] as const;

type NoteName = (typeof ruleNoteNames)[number];

/** Where these fields are entered, in a new rule and in one that is changed. */
export const RuleNoteFields = ({ field }: { field(name: NoteName): ReturnType<typeof submittedField> }) => (
  <TextAreaField {...field('owner_note')} label="Note" rows={2} />
);

/** What a rule says to people. */
export const RuleNotes = ({ rule }: { rule: Rule }) =>
  rule.owner_note === null ? null : <p className="prose">{rule.owner_note}</p>;
