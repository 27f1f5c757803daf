import type { Community, User } from '@meetmark/contracts';
import { layoutText } from '@meetmark/i18n/texts/common';
import { mayOrganise } from '../../features/auth/session';

export interface NavigationLink {
  to: string;
  label: string;
}

export interface Navigation {
  label: string;
  links: NavigationLink[];
  more?: NavigationLink[];
  toggle: NavigationLink | null;
}

export const SIGN_IN: NavigationLink = { to: '/?signin=1', label: layoutText.signIn };

const ORGANISING = '/admin/events';
export const PROPOSALS = '/admin/proposals';
const ORGANISER_LINKS: NavigationLink[] = [{ to: ORGANISING, label: layoutText.adminEvents }];
const ADMIN_LINKS: NavigationLink[] = [
  { to: '/admin', label: layoutText.adminDashboard },
  { to: '/admin/users', label: layoutText.adminUsers },
  ...ORGANISER_LINKS,
];
const PROPOSAL_QUEUE: NavigationLink = { to: PROPOSALS, label: layoutText.adminProposals };
const ADMIN_MORE: NavigationLink[] = [
  { to: '/admin/audit', label: layoutText.adminAudit },
  { to: '/admin/system', label: layoutText.adminSystem },
  { to: '/admin/settings', label: layoutText.adminSettings },
];
const USER_LINKS: NavigationLink[] = [
  { to: '/', label: layoutText.browseEvents },
  { to: '/my-events', label: layoutText.myEvents },
  { to: '/events', label: layoutText.calendar },
];
const VISITOR_LINKS: NavigationLink[] = [
  { to: '/', label: layoutText.browseEvents },
  { to: '/events', label: layoutText.calendar },
];

export function navigationFor(
  pathname: string,
  user: User | null,
  { memberProposals }: Pick<Community, 'memberProposals'>,
): Navigation {
  if (!user) return { label: layoutText.mainNavigation, links: VISITOR_LINKS, toggle: null };
  if (pathname.startsWith('/admin') && mayOrganise(user)) {
    const queue = memberProposals ? [PROPOSAL_QUEUE] : [];
    return {
      label: layoutText.adminNavigation,
      links: user.isAdmin ? ADMIN_LINKS : [...ORGANISER_LINKS, ...queue],
      more: user.isAdmin ? [...queue, ...ADMIN_MORE] : undefined,
      toggle: { to: '/', label: layoutText.userView },
    };
  }
  return {
    label: layoutText.mainNavigation,
    links: USER_LINKS,
    toggle: user.isAdmin
      ? { to: '/admin', label: layoutText.adminPanel }
      : mayOrganise(user)
        ? { to: ORGANISING, label: layoutText.organise }
        : null,
  };
}

export const HELP: NavigationLink = { to: '/help', label: layoutText.help };
