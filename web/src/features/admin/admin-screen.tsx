import type { AdminView } from '@meetmark/contracts/pages';
import { commonText } from '@meetmark/i18n/texts/common';
import { securityText } from '@meetmark/i18n/texts/security';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ConfigProvider, type ThemeConfig } from 'antd';
import { Navigate, useParams } from 'react-router-dom';
import { useCommunity } from '../../api/community';
import { componentWords } from '../../strings/component-words';
import { ActionButton } from '../../ui/action-button';
import { lazyScreen } from '../../ui/lazy';
import { ScreenHeading } from '../../ui/screen-heading';
import { mayOrganise, useMember } from '../auth/session';
import { SecurityCard } from '../profile/security-card';
import { secondFactorsQuery } from '../security/security.api';
import styles from './shared/admin.module.css';
import { AuditPage } from './audit/audit-page';
import { DashboardPage } from './dashboard/dashboard-page';
import { AdminEventsPage } from './events/admin-events-page';
import { SettingsPage } from './settings/settings-page';
import { SystemPage } from './system/system-page';
import { UsersPage } from './users/users-page';
import { WorkspaceScreen } from './workspace/workspace-screen';

const ProposalQueue = lazyScreen(() => import('./proposals/proposal-queue'));
const TopicsPage = lazyScreen(() => import('./topics/topics-page'));

export { default as SetupScreen } from '../setup/setup-screen';

/** Theme of the admin area, defined here to keep the landing page small. */
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

const WORDS = {
  locale: 'en',
  ...componentWords,
  global: { ...componentWords?.global, show: commonText.showPassword, hide: commonText.hidePassword },
};

export default function AdminScreen() {
  const user = useMember();
  const { isAdmin, hasSecondFactor } = user;
  const { memberProposals } = useCommunity();
  const { view, eventId } = useParams();
  // members see an empty page, unless they open an event; the server decides who manages an event
  if (!eventId && !mayOrganise(user)) return null;
  // organisers see only events and proposals, and need no second factor
  const forOrganisers = view === 'events' || (view === 'proposals' && memberProposals);
  if (!eventId && !isAdmin && !forOrganisers) return <Navigate to="/admin/events" replace />;
  const shown = isView(view) && (view !== 'proposals' || memberProposals) ? VIEWS[view] : <DashboardPage />;
  return (
    <ConfigProvider theme={THEME} locale={WORDS}>
      <SecondFactorGate key={view} has={hasSecondFactor || !isAdmin}>
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

/**
 * Asks admins to set up a required second factor, because the server refuses their other calls until then.
 * They open the admin area by a button, so that they have time to read the recovery codes.
 */
function SecondFactorGate({ has, children }: { has: boolean; children: ReactNode }) {
  const [passed, setPassed] = useState(has);
  const { data } = useQuery({ ...secondFactorsQuery, enabled: !has });
  if (passed || !data?.required) return children;
  return (
    <div className={styles.gate}>
      <ScreenHeading title={securityText.setUpTitle} />
      <SecurityCard />
      <ActionButton type="primary" size="large" inactive={!has} onClick={() => setPassed(true)}>
        {securityText.openAdmin}
      </ActionButton>
    </div>
  );
}
