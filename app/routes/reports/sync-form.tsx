import { Form, type Submitted } from '../../components/form.tsx';
import { useChrome } from '../chrome.ts';

interface Props {
  /** What is synchronized, as the fields of the operation; nothing for what is stored already. */
  scope: Record<string, string>;
  submitted?: Submitted | null;
}

/** The button that synchronizes now. It leads to the reports of its scope, which show what came of it. */
export const SyncForm = ({ scope, submitted }: Props) => (
  <Form
    action="/reports"
    csrf={useChrome().csrf}
    intent="sync"
    label="Synchronize"
    submit="Sync now"
    hidden={scope}
    submitted={submitted}
    inline
  />
);
