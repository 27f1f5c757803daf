import { useParams } from 'react-router-dom';
import { useMember } from '../auth/session';
import { AuditPage } from './audit/audit-page';
import { DashboardPage } from './dashboard/dashboard-page';
import { AdminEventsPage } from './events/admin-events-page';
import { SystemPage } from './system/system-page';
import { UsersPage } from './users/users-page';

const PAGES = new Map([
  ['users', UsersPage],
  ['events', AdminEventsPage],
  ['audit', AuditPage],
  ['system', SystemPage],
]);

/** The administrator's area; any path in it that is no other view shows the dashboard. */
export default function AdminScreen() {
  const { isAdmin } = useMember();
  const { view = '' } = useParams();
  // Members who are no administrators get an empty main area, and nothing is asked for (D8).
  if (!isAdmin) return null;
  const Page = PAGES.get(view) ?? DashboardPage;
  return <Page />;
}
