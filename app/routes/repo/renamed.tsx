import { Notice } from '../../components/notice.tsx';

interface Props {
  /** `owner/repo` as the address has it. */
  name: string;
  /** What it is called by now; null where the answer does not say. */
  current: string | null | undefined;
}

/** That the repository of a page has another name by now. */
export const Renamed = ({ name, current }: Props) =>
  current && current !== name ? <Notice title="Renamed.">Renamed to {current}.</Notice> : null;
