import {
  type AgendaItem,
  type AnnouncementState,
  type Community,
  CONTENT_TEXTS,
  type ContentText,
  type ContentValue,
  emptyFields,
  type Event,
  type EventChangeFields,
  type EventContent,
  type EventContentFields,
  type EventFields,
  type EventHtml,
  type EventPage,
  type EventResource,
  type GalleryPicture,
  invalidFields,
  markdownFault,
  type PastRegistration,
  type Question,
  REGISTERED,
  type SpeakerFields,
  venueLine,
  getZone,
} from '@meetmark/contracts';
import { storedQuestions } from './questions.js';
import { type EventEntity, type EventValues, presentEvent } from '../core/event.entity.js';
import { movedSpan, wallBetween } from '../series/event-series.js';
import type { Viewer } from '../core/viewer.js';

export interface ContentValues extends ContentValue {
  hosts: string[];
  coHosts: string[];
  topics: string[];
  agenda: AgendaItem[];
  speakers: Required<SpeakerFields>[];
  resources: EventResource[];
  questions: Question[];
}

export const NO_CONTENT = emptyFields(({ on }) => on === 'page') as unknown as ContentValues;
const CONTENT = Object.keys(NO_CONTENT) as (keyof ContentValues)[];

interface NamedPerson {
  role: 'host' | 'speaker';
  userId: string | null;
  name: string | null;
  title: string | null;
  bio: string | null;
  linkUrl: string | null;
  agreed: boolean;
  askedBy: string | null;
  mayAgree: boolean;
  manages: boolean;
  agreedToManage: boolean;
  firstName: string | null;
  lastName: string | null;
  profileImageUrl: string | null;
  linkedInUrl: string | null;
  listed: boolean;
}

export interface StoredContent extends Omit<ContentValues, 'hosts' | 'coHosts' | 'speakers'> {
  people: NamedPerson[];
  announcement: AnnouncementState;
  gallery: GalleryPicture[];
  html: EventHtml | null;
}

export function contentValues({ people, ...stored }: StoredContent): ContentValues {
  const named = people.filter(({ role }) => role === 'host');
  const hosts = named.map(({ userId }) => userId!);
  const coHosts = named.filter(({ manages }) => manages).map(({ userId }) => userId!);
  const speakers = people
    .filter(({ role }) => role === 'speaker')
    .map(({ userId, name, title, bio, linkUrl }) => ({ userId, name, role: title, bio, linkUrl }));
  const all = { ...stored, hosts, coHosts, speakers };
  return Object.fromEntries(CONTENT.map((name) => [name, all[name]])) as unknown as ContentValues;
}

/** Only registered people and managers get the joining link. */
export function presentPage(row: EventEntity, stored: StoredContent, viewer: Viewer): EventPage {
  const mayManage = manages(row, stored, viewer);
  const mayJoin = mayManage || row.ownRegistration?.status === REGISTERED;
  const event = presentEvent(row);
  const registrations = event.registrations.map((own) => ({
    ...own,
    answers: row.ownRegistration?.answers ?? undefined,
  }));
  return {
    ...event,
    registrations,
    mayManage,
    pastRegistration: toPastRegistration(row.ownRegistration),
    ...(mayManage && { announcement: stored.announcement }),
    html: stored.html,
    gallery: stored.gallery,
    content: presentContent(stored, { mayManage, mayJoin }),
  };
}

const toPastRegistration = (own: EventEntity['ownRegistration']): PastRegistration | null =>
  own?.status === 'cancelled'
    ? {
        status: own.endedAs ?? 'cancelled',
        at: own.endedAt?.toISOString() ?? null,
        answers: own.answers ?? null,
      }
    : null;

/** Applies the same rule as the SQL function events.management_refusal. */
function manages({ createdById }: EventEntity, { people }: StoredContent, viewer: Viewer): boolean {
  if (viewer === null || viewer.isAdmin) return viewer !== null;
  if (viewer.sub === createdById) return viewer.isOrganiser === true;
  return people.some(
    ({ userId, role, agreed, agreedToManage }) =>
      role === 'host' && userId === viewer.sub && agreed && agreedToManage,
  );
}

function presentContent(
  {
    people,
    topics: _topics,
    announcement: _announcement,
    gallery: _gallery,
    html: _html,
    ...content
  }: StoredContent,
  { mayManage, mayJoin }: { mayManage: boolean; mayJoin: boolean },
): EventContent {
  const { onlineUrl, onlineNote } = content;
  const shown = people.filter(
    ({ userId, agreed, listed }) => mayManage || userId === null || (agreed && listed),
  );
  return {
    ...content,
    onlineUrl: mayJoin ? onlineUrl : null,
    onlineNote: mayJoin ? onlineNote : null,
    hasOnlineUrl: onlineUrl !== null,
    hosts: shown
      .filter(({ role }) => role === 'host')
      .map(({ userId, firstName, lastName, profileImageUrl, linkedInUrl, agreed, ...host }) => ({
        id: userId!,
        firstName: firstName!,
        lastName: lastName!,
        profileImageUrl,
        linkedInUrl,
        agreed,
        ...(mayManage &&
          host.manages && {
            coHost: agreed && host.agreedToManage ? ('agreed' as const) : ('asked' as const),
          }),
        ...(mayManage && !(agreed && (host.agreedToManage || !host.manages)) && toInvitation(host)),
      })),
    speakers: shown
      .filter(({ role }) => role === 'speaker')
      .map(({ userId, name, firstName, lastName, title, bio, linkUrl, linkedInUrl, ...person }) => ({
        name: name ?? `${firstName} ${lastName}`,
        role: title,
        bio,
        linkUrl: linkUrl ?? linkedInUrl,
        userId,
        profileImageUrl: person.profileImageUrl,
        agreed: person.agreed || userId === null,
        ...(mayManage && !person.agreed && userId !== null && toInvitation(person)),
      })),
  };
}

const toInvitation = ({ askedBy, mayAgree }: Pick<NamedPerson, 'askedBy' | 'mayAgree'>) => ({
  invitation: { by: askedBy, works: mayAgree },
});

export function contentOfForm(
  fields: EventContentFields,
  present: ContentValues = NO_CONTENT,
): ContentValues {
  const given = <Field extends keyof ContentValues>(
    field: Field,
    store: (value: NonNullable<EventContentFields[Field]>) => ContentValues[Field],
  ): ContentValues[Field] => {
    const value = fields[field];
    if (value === undefined) return present[field];
    return value === null ? NO_CONTENT[field] : store(value);
  };
  const hosts = given('hosts', (ids) => ids);
  const coHosts = given('coHosts', (ids) => ids);
  const texts = CONTENT_TEXTS.map((name) => [name, given(name, (text) => text)]);
  return {
    ...NO_CONTENT,
    ...(Object.fromEntries(texts) as Pick<ContentValues, ContentText>),
    venue: given('venue', ({ name, address, note, mapUrl }) => ({ name, address, note, mapUrl })),
    hosts,
    coHosts: hosts.filter((id) => coHosts.includes(id)),
    topics: given('topics', (ids) => ids),
    agenda: given('agenda', storedAgenda),
    speakers: given('speakers', (speakers) => speakers.map(storedSpeaker)),
    resources: given('resources', (resources) => resources.map(({ title, url }) => ({ title, url }))),
    questions: given('questions', (questions) => storedQuestions(questions, present.questions)),
  };
}

const iso = (moment: string) => new Date(moment).toISOString();

const storedAgenda = (items: AgendaItem[]): AgendaItem[] =>
  items
    .map(({ startsAt, endsAt, title, note }) => ({
      startsAt: iso(startsAt),
      endsAt: endsAt === null ? null : iso(endsAt),
      title,
      note,
    }))
    .toSorted((one, other) => one.startsAt.localeCompare(other.startsAt));

/** Stores no name or link for a member, because both come from the account. */
function storedSpeaker({ name, role, bio, linkUrl, userId }: SpeakerFields): Required<SpeakerFields> {
  const about = { role: role ?? null, bio: bio ?? null };
  return userId == null
    ? { userId: null, name: name!, ...about, linkUrl: linkUrl ?? null }
    : { userId: userId.toLowerCase(), name: null, ...about, linkUrl: null };
}

/** Fills in a missing `location` from a new venue. Removes the venue if only `location` changes. */
export function withLocation<Fields extends Pick<Partial<EventFields>, 'location' | 'venue'>>(
  fields: Fields,
  present: Pick<Event, 'location'> | null,
): Fields {
  const { venue, location } = fields;
  if (venue != null && location == null) return { ...fields, location: venueLine(venue) };
  if (present !== null && venue === undefined && location !== undefined && location !== present.location)
    return { ...fields, venue: null };
  return fields;
}

export const changedContent = (before: ContentValues, after: ContentValues): (keyof ContentValues)[] =>
  (Object.keys(after) as (keyof ContentValues)[]).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );

type Span = Pick<EventValues, 'startDate' | 'endDate' | 'timeZone'>;
type Problem = Parameters<typeof invalidFields>[number];

function refuse(problems: Problem[]): void {
  if (problems.length > 0) throw invalidFields(...problems);
}

const missing = (
  field: string,
  ids: string[] | null | undefined,
  there: ReadonlySet<string>,
  rule: string,
): Problem[] =>
  (ids ?? []).flatMap((id, index): Problem[] => (there.has(id) ? [] : [[`${field}[${index}]`, rule]]));

/** Checks the agenda only if it is edited: a stored agenda may exceed an event that became shorter. */
export function checkContent(
  { startDate, endDate }: Omit<Span, 'timeZone'>,
  { agenda }: Pick<EventChangeFields, 'agenda'>,
): void {
  const problems: Problem[] = [];
  for (const [index, { startsAt, endsAt }] of (agenda ?? []).entries()) {
    const [start, end] = [Date.parse(startsAt), Date.parse(endsAt ?? startsAt)];
    const item = `agenda[${index}]`;
    if (start < startDate.getTime() || start > endDate.getTime())
      problems.push([`${item}.startsAt`, 'must be within the event']);
    else if (end < start) problems.push([`${item}.endsAt`, 'must not be before its start']);
    else if (end > endDate.getTime())
      problems.push([`${item}.endsAt`, 'must not be after the end of the event']);
  }
  refuse(problems);
}

export function checkDescription(
  { description, descriptionFormat }: Pick<EventValues, 'description' | 'descriptionFormat'>,
  request: EventChangeFields,
): void {
  if (request.description === undefined && request.descriptionFormat === undefined) return;
  if (description === null || descriptionFormat !== 'markdown') return;
  const fault = markdownFault(description);
  if (fault !== null) throw invalidFields(['description', fault]);
}

export function checkCoHosts({ coHosts }: EventContentFields, { hosts }: ContentValues): void {
  refuse(missing('coHosts', coHosts, new Set(hosts), 'is no host'));
}

export function checkTopics({ topics }: EventContentFields, found: ReadonlySet<string>): void {
  refuse(missing('topics', topics, found, 'is not a topic of this community'));
}

export const membersNamed = ({ hosts, speakers }: EventContentFields): string[] => [
  ...new Set([...(hosts ?? []), ...(speakers ?? []).flatMap(({ userId }) => userId?.toLowerCase() ?? [])]),
];

export function checkMembers({ hosts, speakers }: EventContentFields, found: ReadonlySet<string>): void {
  const problems = missing('hosts', hosts, found, 'is no member');
  const seen = new Set<string>();
  for (const [index, { userId }] of (speakers ?? []).entries()) {
    if (userId == null) continue;
    const id = userId.toLowerCase();
    const rule = !found.has(id) ? 'is no member' : seen.has(id) ? 'is a duplicate' : null;
    if (rule !== null) problems.push([`speakers[${index}].userId`, rule]);
    seen.add(id);
  }
  refuse(problems);
}

/** Moves the agenda by the same amount of local time as the event. */
export function withMovedAgenda(
  content: ContentValues,
  before: Span,
  after: Span,
  community: Pick<Community, 'timeZone'>,
): ContentValues {
  const zones = [getZone(before, community), getZone(after, community)] as const;
  const by = wallBetween(before.startDate, after.startDate, ...zones);
  if (by === 0 && zones[0] === zones[1]) return content;
  const agenda = content.agenda.map((item) => {
    const startsAt = new Date(item.startsAt);
    const endsAt = item.endsAt === null ? startsAt : new Date(item.endsAt);
    const [begin, end] = movedSpan([startsAt, endsAt], [by, by], ...zones);
    return {
      ...item,
      startsAt: begin.toISOString(),
      endsAt: item.endsAt === null ? null : end.toISOString(),
    };
  });
  return { ...content, agenda };
}

export function contentAfterSameChange(
  change: { before: ContentValues; after: ContentValues; span: Span },
  other: { content: ContentValues; before: Span; after: Span },
  community: Pick<Community, 'timeZone'>,
): ContentValues {
  const changed = changedContent(change.before, change.after);
  const own = withMovedAgenda(other.content, other.before, other.after, community);
  const same = withMovedAgenda(change.after, change.span, other.after, community);
  return { ...own, ...Object.fromEntries(changed.map((field) => [field, same[field]])) } as ContentValues;
}
