import { createFileRoute } from '@tanstack/react-router';

export const Route = createFileRoute('/_user/company/$organization/grants')({
  component: RouteComponent,
});

function RouteComponent() {
  return <div>Hello "/_user/company/$organization/grants"!</div>;
}
