import { Form, type Submitted } from '../../components/form.tsx';
import { usePageContext } from '../../components/page-context.ts';

interface Props {
  /** Where it is sent: the page's own address as a form must name it. */
  action: string;
  /** What is synchronized, as the fields of the operation; nothing for what is stored already. */
  scope: Record<string, string>;
  submitted?: Submitted | null;
  /** Draws it as the one action that the page is about. */
  primary?: boolean;
}

/** The button that synchronizes now. It leads to a page that shows what came of it. */
export const SyncForm = ({ action, scope, submitted, primary }: Props) => (
  <Form
    action={action}
    csrf={usePageContext().csrf}
    intent="sync"
    label="Sync"
    submit="Sync now"
    hidden={scope}
    submitted={submitted}
    primary={primary}
    inline
  />
);
