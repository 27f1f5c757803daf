import type { AdminView } from '@meetmark/contracts/pages';
import { commonText } from '@meetmark/contracts/texts/common';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ConfigProvider, type ThemeConfig } from 'antd';
import { Navigate, useParams } from 'react-router-dom';
import { useCommunity } from '../../api/community';
import { componentWords } from '../../strings/component-words';
import { lazyScreen } from '../../ui/lazy';
import { mayOrganise, useMember } from '../auth/session';
import { secondFactorsQuery } from '../security/security.api';
import { AuditPage } from './audit/audit-page';
import { DashboardPage } from './dashboard/dashboard-page';
import { AdminEventsPage } from './events/admin-events-page';
import { SettingsPage } from './settings/settings-page';
import { SystemPage } from './system/system-page';
import { UsersPage } from './users/users-page';
import { WorkspaceScreen } from './workspace/workspace-screen';

// Opened seldom; proposals only where the community takes them.
const ProposalQueue = lazyScreen(() => import('./proposals/proposal-queue'));
const TopicsPage = lazyScreen(() => import('./topics/topics-page'));

export { default as SetupScreen } from '../setup/setup-screen';

/** The look of the parts of antd that only this area uses: the landing page does not carry it. */
const THEME: ThemeConfig = {
  components: {
    Form: { itemMarginBottom: 0, labelFontSize: 14 },
    Input: { activeShadow: 'none', controlHeight: 46, inputFontSize: 16, paddingInline: 14 },
    Table: {
      borderColor: 'var(--line)',
      cellPaddingBlock: 12,
      headerBg: 'color-mix(in srgb, var(--ink) 3%, var(--surface))',
      headerBorderRadius: 0,
      headerColor: 'var(--ink-soft)',
      headerSplitColor: 'transparent',
      rowHoverBg: 'color-mix(in srgb, var(--primary) 4%, transparent)',
    },
  },
};

/** antd's own names for the switch in a password field are 'Show' and 'Hide'. */
const WORDS = {
  locale: 'en',
  ...componentWords,
  global: { ...componentWords?.global, show: commonText.showPassword, hide: commonText.hidePassword },
};

/** The administrator's area; an unknown path in it shows the dashboard. */
export default function AdminScreen() {
  const user = useMember();
  const { isAdmin, hasSecondFactor } = user;
  const { memberProposals } = useCommunity();
  const { view, eventId } = useParams();
  // members get an empty main area, and no call is made; the server says whether they manage an event
  if (!eventId && !mayOrganise(user)) return null;
  // organisers have events and proposals alone, and need no second factor
  const forOrganisers = view === 'events' || (view === 'proposals' && memberProposals);
  if (!eventId && !isAdmin && !forOrganisers) return <Navigate to="/admin/events" replace />;
  const shown = isView(view) && (view !== 'proposals' || memberProposals) ? VIEWS[view] : <DashboardPage />;
  return (
    <ConfigProvider theme={THEME} locale={WORDS}>
      <SecondFactorGate has={hasSecondFactor || !isAdmin}>
        {eventId ? <WorkspaceScreen eventId={eventId} /> : shown}
      </SecondFactorGate>
    </ConfigProvider>
  );
}

const VIEWS: Record<AdminView, ReactNode> = {
  users: <UsersPage />,
  events: <AdminEventsPage />,
  proposals: <ProposalQueue />,
  topics: <TopicsPage />,
  audit: <AuditPage />,
  settings: <SettingsPage />,
  system: <SystemPage />,
};
const isView = (view: string | undefined): view is AdminView =>
  view !== undefined && Object.hasOwn(VIEWS, view);

/** Where administrators need a second factor, one without it is sent to add it: the server refuses everything else. */
function SecondFactorGate({ has, children }: { has: boolean; children: ReactNode }) {
  const { data } = useQuery({ ...secondFactorsQuery, enabled: !has });
  if (!has && data?.required) return <Navigate to="/profile#security" replace />;
  return children;
}
