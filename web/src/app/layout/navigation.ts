import type { Community, User } from '@meetmark/contracts';
import { layoutText } from '@meetmark/contracts/texts/common';
import { mayOrganise } from '../../features/auth/session';

interface NavigationLink {
  to: string;
  label: string;
}

export interface Navigation {
  label: string;
  links: NavigationLink[];
  /** The way between the two areas of administrators and organisers. */
  toggle: NavigationLink | null;
}

export const SIGN_IN: NavigationLink = { to: '/?signin=1', label: layoutText.signIn };

const ORGANISING = '/admin/events';
export const PROPOSALS = '/admin/proposals';
const ADMIN_LINKS: NavigationLink[] = [
  { to: '/admin', label: layoutText.adminDashboard },
  { to: '/admin/users', label: layoutText.adminUsers },
  { to: ORGANISING, label: layoutText.adminEvents },
  { to: PROPOSALS, label: layoutText.adminProposals },
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
  // who has no rights there finds the way back
  if (pathname.startsWith('/admin') && mayOrganise(user))
    return {
      label: layoutText.adminNavigation,
      links: ADMIN_LINKS.filter(({ to }) =>
        to === PROPOSALS ? memberProposals : user.isAdmin || to === ORGANISING,
      ),
      toggle: { to: '/', label: layoutText.userView },
    };
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

/** Screens for which the header has no room: the drawer and the footer link to them. */
export const furtherLinks = (user: User | null): NavigationLink[] => [
  ...(user ? [{ to: '/dashboard', label: layoutText.dashboard }] : []),
  { to: '/events', label: layoutText.calendar },
  { to: '/help', label: layoutText.help },
];
