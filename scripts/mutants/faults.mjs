/**
 * A small fault of the product, and the test that catches it.
 * @typedef {object} Fault
 * @property {string} what in words
 * @property {string} file where it is
 * @property {string} from what stands there once, within one line
 * @property {string} to what the fault makes of it
 * @property {string} spec a unit or integration test, which runs from source
 * @property {string} test a pattern as Jest takes it: of the names of the tests that fail
 */

/** @type {Fault[]} */
export const FAULTS = [
  // gateway
  {
    what: 'a session lasts thirty days from its last use, not from its beginning',
    file: 'gateway/src/sessions/session.ts',
    from: 'createdAt + SESSION.absolute',
    to: 'now + SESSION.absolute',
    spec: 'gateway/src/sessions/sessions.spec.ts',
    test: 'thirty days in all',
  },
  {
    what: 'a right password from a new browser stays counted as a failure',
    file: 'gateway/src/rate-limits/sign-in-limits.ts',
    from: "...(device === null ? [this.limiter.giveBack('sign-in-failures-anywhere', account)] : []),",
    to: '',
    spec: 'gateway/src/rate-limits/limits.spec.ts',
    test: 'is taken back once a password was right',
  },
  {
    what: 'pictures are not counted',
    file: 'gateway/src/media/pictures.ts',
    from: "await this.limiter.consume('pictures', userId);",
    to: '',
    spec: 'gateway/src/rate-limits/every-limit.spec.ts',
    test: 'counts pictures, wherever it is used',
  },
  {
    what: 'an Idempotency-Key that was used at another address is taken for a repetition',
    file: 'gateway/src/idempotency/idempotency.ts',
    from: '`${method} ${url} ${JSON.stringify(body)}`',
    to: '`${method} ${JSON.stringify(body)}`',
    spec: 'gateway/src/idempotency/idempotency.spec.ts',
    test: 'sent to another address',
  },
  {
    what: 'a large body stays counted for its account once it is answered',
    file: 'gateway/src/http/body-budget.ts',
    from: 'endLarge?.();',
    to: '',
    spec: 'gateway/src/http/body.spec.ts',
    test: 'are no longer counted for an account',
  },
  {
    what: 'Origin is not looked at where Sec-Fetch-Site says something',
    file: 'gateway/src/http/csrf.ts',
    from: 'if (headers.origin !== undefined)',
    to: 'if (site === undefined && headers.origin !== undefined)',
    spec: 'gateway/src/http/hygiene.spec.ts',
    test: 'two that disagree',
  },
  {
    what: 'an organiser may call whatever an administrator may',
    file: 'gateway/src/http/access.ts',
    from: "!(access === 'organiser' && call.identity?.isOrganiser)",
    to: '!call.identity?.isOrganiser',
    spec: 'gateway/src/http/access.spec.ts',
    test: 'GET /api/admin/users lets in whom the table of roles lets in',
  },
  {
    what: 'the one who asks about an event is not asked for the right to manage it, an administrator is',
    file: 'gateway/src/http/access.ts',
    from: "config.access === 'manager' && !request.call.identity?.isAdmin",
    to: "config.access === 'manager' && request.call.identity?.isAdmin",
    spec: 'gateway/src/http/access.spec.ts',
    test: 'asks at each call who manages the event',
  },

  // auth
  {
    what: 'a code has six tries',
    file: 'services/auth/src/flows/code-flows.repository.ts',
    from: '(browser_hash = ${browserHash} AND tries < ${CODE.tries})',
    to: '(browser_hash = ${browserHash} AND tries <= ${CODE.tries})',
    spec: 'services/auth/src/codes/codes.spec.ts',
    test: 'evaluate five of 50 simultaneous guesses',
  },
  {
    what: 'commands of administrators do not take turns',
    file: 'services/auth/src/users/caller.ts',
    from: 'await lockAdministrators(manager);',
    to: '',
    spec: 'services/auth/src/accounts/accounts.spec.ts',
    test: 'two demote each other 100 times',
  },
  {
    what: 'a new password ends no session',
    file: 'services/auth/src/passwords/passwords.service.ts',
    from: "{ passwordHash, sessionEpoch: () => 'session_epoch + 1', feedsEndedAt: () => 'now()' }",
    to: "{ passwordHash, feedsEndedAt: () => 'now()' }",
    spec: 'services/auth/src/passwords/passwords.spec.ts',
    test: 'ends the other sessions by a new epoch',
  },
  {
    what: 'a code of an authenticator is taken twice',
    file: 'services/auth/src/second-factors/second-factors.repository.ts',
    from: 'last_used_at = now() WHERE id = $1 AND last_step < $2',
    to: 'last_used_at = now() WHERE id = $1',
    spec: 'services/auth/src/second-factors/second-factors.spec.ts',
    test: 'take a code once, and no older one',
  },
  {
    what: 'a password that an administrator sets is not in the audit log',
    file: 'services/auth/src/accounts/accounts.service.ts',
    from: "await this.audit.record(manager, 'user.passwordSet', actor, user);",
    to: '',
    spec: 'services/auth/src/accounts/accounts.spec.ts',
    test: 'lets them in with the new one and says so by mail',
  },

  // events
  {
    what: 'a promotion by the trigger has a calendar entry as old as the one that took the place away',
    file: 'services/events/src/database/promote_waiting.sql',
    from: "SET status = 'registered', registered_at = now(), entry_revision = entry_revision + 1",
    to: "SET status = 'registered', registered_at = now()",
    spec: 'services/events/src/registrations/waiting-list.spec.ts',
    test: 'with a calendar entry newer than the one that took the last place',
  },
  {
    what: 'a promotion by hand has a calendar entry as old as the one that took the place away',
    file: 'services/events/src/events/participants.repository.ts',
    from: "SET status = '${REGISTERED}', registered_at = now(), entry_revision = entry_revision + 1",
    to: "SET status = '${REGISTERED}', registered_at = now()",
    spec: 'services/events/src/registrations/waiting-list.spec.ts',
    test: 'with a calendar entry newer than the one that took the last place',
  },
  {
    what: 'who joins the list of a full event is offered a place',
    file: 'services/events/src/registrations/registrations.repository.ts',
    from: 'WHEN capacity IS NULL OR registration_count < capacity THEN',
    to: 'WHEN capacity IS NULL OR registration_count <= capacity THEN',
    spec: 'services/events/src/registrations/waiting-list.spec.ts',
    test: 'of a full event is joined at its end',
  },
  {
    what: 'nobody is told by mail that a place was given up',
    file: 'services/events/src/registrations/registrations.repository.ts',
    from: "mail AS (${insertMail(UnregisteredMail, 'given_up', '$3')}),",
    to: '',
    spec: 'services/events/src/registrations/registrations.spec.ts',
    test: 'asks for one mail, however often it is repeated',
  },
  {
    what: 'public answers stay as they were when an event is published or cancelled',
    file: 'services/events/src/events/event-life.service.ts',
    from: 'return this.publicCache.changing(() =>',
    to: 'return Promise.resolve().then(() =>',
    spec: 'services/events/src/public-cache.spec.ts',
    test: 'raises their version events\\.(publish|cancel)$',
  },
  {
    what: 'a cancelled event has the SEQUENCE that it had',
    file: 'services/events/src/events/event-life.service.ts',
    from: 'sequence: event.sequence + 1,',
    to: 'sequence: event.sequence,',
    spec: 'services/events/src/events/event-life.spec.ts',
    test: 'everybody who is registered or waits is told once',
  },
  {
    what: 'the days of a calendar begin on those of UTC',
    file: 'services/events/src/calendar/calendar-writer.ts',
    from: 'const start = DateTime.fromJSDate(entry.startDate, { zone });',
    to: "const start = DateTime.fromJSDate(entry.startDate, { zone: 'utc' });",
    spec: 'services/events/src/calendar/calendar.spec.ts',
    test: 'all day, are the days of the community',
  },
  {
    what: 'the guest list is read by a door link that was revoked',
    file: 'services/events/src/door/door.service.ts',
    from: 'if (link === null || reasonOf(link) !== null)',
    to: 'if (link === null)',
    spec: 'services/events/src/door/door.spec.ts',
    test: 'is closed to that link at once, and to no other',
  },

  // admin
  {
    what: 'the days of the dashboard are those of UTC',
    file: 'services/admin/src/figures/activity.repository.ts',
    from: '[now, this.community.timeZone, ACTIVITY_DAYS]',
    to: "[now, 'UTC', ACTIVITY_DAYS]",
    spec: 'services/admin/src/figures/activity.spec.ts',
    test: 'begins the day at midnight in Pacific/Auckland',
  },
  {
    what: 'administrators delete themselves by an id in capitals',
    file: 'services/auth/src/users/caller.ts',
    from: 'if (identityOf(call).sub.toLowerCase() === userId.toLowerCase())',
    to: 'if (identityOf(call).sub === userId)',
    spec: 'services/auth/src/accounts/accounts.spec.ts',
    test: 'is refused for one’s own account, in any letter case of the id',
  },

  // worker
  {
    what: 'a mail that an outage has made older than a day is sent all the same',
    file: 'libs/platform/src/outbox/outbox.repository.ts',
    from: "OR job LIKE 'audit.%')",
    to: "OR job LIKE '%')",
    spec: 'services/worker/src/queue/relay.spec.ts',
    test: 'sends no mail that an outage has made older than a day',
  },
  {
    what: 'a mail is tried again after a millisecond',
    file: 'services/worker/src/queue/job-queues.ts',
    from: 'delay: this.config.retryAfter,',
    to: 'delay: 1,',
    spec: 'services/worker/src/queue/relay.spec.ts',
    test: 'waits half a second or more before it tries a mail again',
  },
  {
    what: 'who has registered a moment ago is reminded at once',
    file: 'services/worker/src/events/plan-reminders.ts',
    from: "AND r.status = '${REGISTERED}' AND r.registered_at < e.start_date - interval '24 hours'",
    to: "AND r.status = '${REGISTERED}'",
    spec: 'services/worker/src/events/plan-reminders.spec.ts',
    test: 'writes none when it was taken less than a day before',
  },
  {
    what: 'mails about an account go to an address that nobody has verified',
    file: 'services/worker/src/mail/mailer.ts',
    from: 'if (!recipient.verified && !carriesCode)',
    to: 'if (!recipient.verified && !carriesCode && list !== undefined)',
    spec: 'services/worker/src/auth/account-mails.spec.ts',
    test: 'do not go to an address that nobody has verified, but for codes',
  },
  {
    what: 'mails go out in the clear where the mail server offers no TLS',
    file: 'services/worker/src/mail/transport.ts',
    from: 'requireTLS: !isPlain',
    to: 'requireTLS: false',
    spec: 'services/worker/src/mail/transport.spec.ts',
    test: 'sends nothing without TLS',
  },

  // platform
  {
    what: 'any signature stops the mails of any member',
    file: 'libs/platform/src/identity/unsubscribe-link.ts',
    from: 'if (!genuine) return null;',
    to: '',
    spec: 'libs/platform/src/identity/unsubscribe-link.spec.ts',
    test: 'is refused with another',
  },
  {
    what: 'a page begins with the last row of the one before',
    file: 'libs/platform/src/database/keyset-page.ts',
    from: "order.direction === 'ASC' ? '>' : '<'",
    to: "order.direction === 'ASC' ? '>=' : '<='",
    spec: 'services/admin/src/audit/audit.spec.ts',
    test: 'is paged without repeating or losing an entry',
  },
  {
    what: 'HTML that somebody typed into Markdown is HTML of the page',
    file: 'libs/platform/src/text/markdown.ts',
    from: 'return `<p>${escaped(token.raw.trim())}</p>`;',
    to: 'return token.raw;',
    spec: 'libs/platform/src/text/markdown.spec.ts',
    test: 'has its own elements alone: "<script>',
  },

  // contracts
  {
    what: 'a formula after a separator stays one in a spreadsheet',
    file: 'libs/contracts/src/csv.ts',
    from: 'if (isStart && SIGNS.has(letter)) safe += "\'";',
    to: '',
    spec: 'libs/contracts/src/csv.spec.ts',
    test: 'turns "Eve;=cmd',
  },
  {
    what: 'a letter beyond ASCII becomes one of another address',
    file: 'libs/contracts/src/email-address.ts',
    from: 'text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())',
    to: 'text.toLowerCase()',
    spec: 'libs/contracts/src/email-address.spec.ts',
    test: 'the one form of an address "İda@example.com" is',
  },

  // web
  {
    what: 'a phone at the door throws the first of a batch away when the server refuses another',
    file: 'web/src/door/phone.ts',
    from: 'if (batch.length > 1) size = 1;',
    to: 'if (batch.length > BATCH) size = 1;',
    spec: 'web/src/door/phone.spec.ts',
    test: 'is not held up by one item that the server does not take',
  },
  {
    what: 'nobody is looked up again when a query is answered 401',
    file: 'web/src/api/query-client.ts',
    from: 'if (isUnauthorized(error)) void client.invalidateQueries({ queryKey: CURRENT_USER_KEY });',
    to: '',
    spec: 'web/src/api/client.spec.ts',
    test: 'asks who the user is again when any query is answered 401',
  },
  {
    what: 'Change Password blames a field when the session has ended',
    file: 'web/src/features/auth/change-password-dialog.tsx',
    from: 'isUnauthorized(error) ? leaveForLogin() : refuse(refusalErrors(error))',
    to: 'refuse(refusalErrors(error))',
    spec: 'web/src/features/auth/auth.spec.tsx',
    test: 'leads to the login where the session has ended',
  },
  {
    what: 'My Events are not asked for again after a refusal or an edit',
    file: 'web/src/features/events/shared/events.api.ts',
    from: " || path === '/api/my-events'",
    to: '',
    spec: 'web/src/features/registrations/registration-card.spec.tsx',
    test: 'events anew after a refusal',
  },
  {
    what: 'signing in leads to a path that browsers read as another site',
    file: 'web/src/features/auth/return-to.ts',
    from: 'url.origin === origin && LOCAL.test(url.pathname)',
    to: 'url.origin === origin',
    spec: 'web/src/features/auth/auth.spec.tsx',
    test: 'may not be',
  },

  // scripts
  {
    what: 'everybody on the machine reads the secrets of an installation',
    file: 'scripts/make-env.mjs',
    from: '...administrator }), { mode: 0o600 });',
    to: '...administrator }));',
    spec: 'scripts/src/manifests/make-env.spec.ts',
    test: 'each different, for its user alone',
  },
  {
    what: 'a start ends a stranger that has the pid of an earlier child',
    file: 'scripts/src/start/run-record.ts',
    from: 'isRunning(child) ? identify(child.pid) : null',
    to: 'identify(child.pid)',
    spec: 'scripts/src/start/run-record.spec.ts',
    test: 'leaves a stranger alone who got the pid of a former child',
  },
];
