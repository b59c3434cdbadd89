import type { TokenChoices } from '../../../server/api/tokens/form.ts';
import { CopyNow } from '../../components/copy-now.tsx';
import { Explanations } from '../../components/explanations.tsx';
import { ChoiceField, SecretField, SelectField, TextField } from '../../components/field.tsx';
import { Form, type Submitted, submittedField, submittedValue } from '../../components/form.tsx';
import { usePageContext } from '../../components/page-context.ts';

interface NewTokenProps {
  text: string;
  name: string;
  kind: 'personal' | 'feed';
  appUrl: string;
}

/** The text of a token, which is in this answer alone; of a feed its address, which is what readers need. */
export function NewToken({ text, name, kind, appUrl }: NewTokenProps) {
  const isFeed = kind === 'feed';
  const feedAddress = `${appUrl}/api/feeds/alerts.atom?t=${text}`;
  return (
    <CopyNow what={isFeed ? 'address' : 'token'} label={name} text={isFeed ? feedAddress : text}>
      {isFeed ? (
        <>
          Weekly summary of an organization, with this token: <code>{`${appUrl}/api/feeds/weekly.atom?org=…&t=…`}</code>
          . <a href="/docs/open/feeds">About feeds</a>
        </>
      ) : (
        <>
          Try it: <code>{`curl -H "Authorization: Bearer $DAS_TOKEN" "${appUrl}/api/auth/me"`}</code>.{' '}
          <a href="/docs/open/tokens">More examples</a>
        </>
      )}
    </CopyNow>
  );
}

interface NewTokenFormProps {
  choices: TokenChoices;
  /** The newest token of the list beside it: a form that was sent before has another one. */
  newest: string;
  rejected: Submitted | null;
}

/** What a new token is called, may read and lasts; works without scripts. */
export function NewTokenForm({ choices, newest, rejected }: NewTokenFormProps) {
  const { csrf, hostName } = usePageContext();
  const ticked = rejected
    ? submittedValue(rejected, 'features').split(',')
    : choices.features.filter(({ isSensitive }) => !isSensitive).map(({ key }) => key);
  const optionsOf = (wanted: boolean) =>
    choices.features
      .filter(({ isSensitive }) => isSensitive === wanted)
      .map(({ key, label }) => ({ value: key, label }));
  const aboutPeople = optionsOf(true);
  return (
    <Form
      csrf={csrf}
      intent="make"
      submitted={rejected}
      submit="Create token"
      label="New token"
      hidden={{ newest }}
      primary
    >
      <TextField
        {...submittedField(rejected, 'name')}
        label="Name"
        hint="To tell it from others."
        required
        maxLength={80}
      />
      <SelectField
        {...submittedField(rejected, 'kind', 'personal')}
        label="For"
        options={[
          { value: 'personal', label: 'Scripts, agents and dashboards' },
          { value: 'feed', label: 'A feed reader' },
        ]}
        required
      />
      <SelectField
        {...submittedField(rejected, 'expires_in_days', Math.min(90, choices.days.at(-1) ?? 90))}
        label="Expires in"
        options={choices.days.map((days) => ({ value: String(days), label: `${days} days` }))}
        required
      />
      <TextField
        {...submittedField(rejected, 'expires_at')}
        label="Or at the end of"
        type="date"
        hint="In UTC; replaces the number of days."
      />
      <ChoiceField name="features" label="May read" many options={optionsOf(false)} value={ticked} />
      {aboutPeople.length > 0 ? (
        <ChoiceField
          name="features"
          label="May read about people"
          many
          options={aboutPeople}
          value={ticked}
          hint="Figures of single people leave this service with the token."
        />
      ) : null}
      <Explanations
        title="What each feature shows"
        of={choices.features.map(({ label, description }) => ({ name: label, text: description }))}
      />
      <SecretField
        {...submittedField(rejected, 'platform_token')}
        label={`${hostName} token`}
        hint="Without one it reads as this session does. A fine-grained, read-only token of chosen repositories, with members to read in an organization, narrows it to these."
      />
    </Form>
  );
}
