import { HANDBOOK_PARTS } from './handbook.js';

/*
 * The addresses of the web application, as its router writes them: its table has a screen for each, and the gateway answers every other
 * address with the 404 page, but for `/setup` while no account is an administrator's, and the door's page, which is none of the application.
 */

/** The pages of administration, below `/admin`. */
const ADMIN_VIEWS = ['users', 'events', 'proposals', 'topics', 'audit', 'system', 'settings'] as const;
export type AdminView = (typeof ADMIN_VIEWS)[number];

/** The tabs of an event's workspace, below its address in the administration. */
const WORKSPACE_TABS = ['guests', 'messages', 'door', 'settings'] as const;
export type WorkspaceTab = (typeof WORKSPACE_TABS)[number];

/** `:name` stands for a parameter, `:name?` for one that may be left out. */
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

/** What stands in the place of a parameter, as the source of a regular expression. */
export const PAGE_PARAMETERS = {
  eventId: '[0-9a-fA-F-]{36}',
  slug: '[0-9a-zA-Z-]{3,80}',
  token: '[\\w-]{43}',
  code: '[\\w-]{22}',
  part: HANDBOOK_PARTS.join('|'),
  view: ADMIN_VIEWS.join('|'),
  tab: WORKSPACE_TABS.join('|'),
};
