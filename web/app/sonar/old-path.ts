// Paths of Sonar and of Ksockets as they once were: they lead to the same thing where it is now.
import { type LoaderFunctionArgs, redirect } from '@remix-run/node';

const moved: [from: string, to: string][] = [
  ['/sonar', '/apps/sonar'],
  ['/ksocket/ksockets', '/preference/ksocket'],
];

export function loader({ request }: LoaderFunctionArgs) {
  const { pathname, search } = new URL(request.url);
  const found = moved.find(([from]) => pathname === from || pathname.startsWith(`${from}/`));
  return redirect(found ? found[1] + pathname.slice(found[0].length) + search : '/404');
}
