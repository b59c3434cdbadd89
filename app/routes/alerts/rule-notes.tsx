import { TextAreaField, TextField } from '../../components/field.tsx';
import type { submittedField } from '../../components/form.tsx';
import type { Rule } from './labels.ts';

/** The fields of what a rule says to people. */
export const ruleNoteNames = ['owner_note', 'runbook_url'] as const;

type NoteName = (typeof ruleNoteNames)[number];

/** Where these fields are entered, in a new rule and in one that is changed. */
export const RuleNoteFields = ({ field }: { field(name: NoteName): ReturnType<typeof submittedField> }) => (
  <>
    <TextAreaField {...field('owner_note')} label="Note" rows={2} />
    <TextField {...field('runbook_url')} label="Runbook URL" type="url" autoComplete="off" />
  </>
);

/** What a rule says to people. */
export const RuleNotes = ({ rule }: { rule: Rule }) => (
  <>
    {rule.owner_note === null ? null : <p className="prose">{rule.owner_note}</p>}
    {rule.runbook_url === null ? null : (
      <p>
        <a href={rule.runbook_url} rel="noreferrer">
          Runbook
        </a>
      </p>
    )}
  </>
);
