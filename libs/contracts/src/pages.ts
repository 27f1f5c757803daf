import { HANDBOOK_PARTS } from './handbook.js';

const ADMIN_VIEWS = ['users', 'events', 'proposals', 'topics', 'audit', 'system', 'settings'] as const;
export type AdminView = (typeof ADMIN_VIEWS)[number];

const WORKSPACE_TABS = ['guests', 'messages', 'door', 'settings'] as const;
export type WorkspaceTab = (typeof WORKSPACE_TABS)[number];

/**
 * The gateway answers other paths with 404. Exceptions: the door's page, and `/setup` while there is no
 * owner.
 */
export const PAGES = [
  '/',
  '/events',
  '/e/:slug',
  '/events/:eventId',
  '/events/:eventId/give-up',
  '/events/preview/:token',
  '/c/:code',
  '/my-events',
  '/profile',
  '/profile/notifications',
  '/profile/privacy',
  '/profile/security',
  '/dashboard',
  '/proposals',
  '/forgot-password',
  '/reset-password',
  '/confirm',
  '/revert-email',
  '/unsubscribe',
  '/subscribe/confirm',
  '/terms',
  '/privacy',
  '/help/:part?',
  '/admin/:view?',
  '/admin/events/:eventId/:tab?',
] as const;
export type PagePath = (typeof PAGES)[number];

export const PAGE_PARAMETERS = {
  eventId: '[0-9a-fA-F-]{36}',
  slug: '[0-9a-zA-Z-]{3,80}',
  token: '[\\w-]{43}',
  code: '[\\w-]{22}',
  part: HANDBOOK_PARTS.join('|'),
  view: ADMIN_VIEWS.join('|'),
  tab: WORKSPACE_TABS.join('|'),
};
