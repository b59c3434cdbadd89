import { ErrorPage } from '../components/error-page.tsx';

export const loader = () => {
  throw new Response(null, { status: 404 });
};

export default function NotFound() {
  return <ErrorPage status={404} />;
}
