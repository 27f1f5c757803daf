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
  zoneOf,
} from '@meetmark/contracts';
import { storedQuestions } from './questions.js';
import type { EventValues } from './event-changes.js';
import { type EventEntity, presentEvent } from './event.entity.js';
import { movedSpan, wallBetween } from './event-series.js';
import type { Viewer } from './events.repository.js';

/** What an event is made of, as it is edited and as it is stored. */
export interface ContentValues extends ContentValue {
  /** Ids of members. */
  hosts: string[];
  /** Those of them who are to manage the event as well. */
  coHosts: string[];
  /** Ids. */
  topics: string[];
  agenda: AgendaItem[];
  speakers: Required<SpeakerFields>[];
  resources: EventResource[];
  questions: Question[];
}

export const NO_CONTENT = emptyFields(({ on }) => on === 'page') as unknown as ContentValues;
const CONTENT = Object.keys(NO_CONTENT) as (keyof ContentValues)[];

/** A row of event_people with what is shown of a member, as the repository reads it. */
interface NamedPerson {
  role: 'host' | 'speaker';
  userId: string | null;
  name: string | null;
  title: string | null;
  bio: string | null;
  linkUrl: string | null;
  agreed: boolean;
  manages: boolean;
  agreedToManage: boolean;
  /** The name of a person who is a member. */
  firstName: string | null;
  lastName: string | null;
  profileImageUrl: string | null;
  linkedInUrl: string | null;
  /** Whether others may see the member. */
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

/** An event as the answers about it alone show it: the joining link is for those who have a place, and for those who manage it. */
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
    pastRegistration: pastOf(row.ownRegistration),
    ...(mayManage && { announcement: stored.announcement }),
    html: stored.html,
    gallery: stored.gallery,
    content: presentContent(stored, { mayManage, mayJoin }),
  };
}

const pastOf = (own: EventEntity['ownRegistration']): PastRegistration | null =>
  own?.status === 'cancelled'
    ? {
        status: own.endedAs ?? 'cancelled',
        at: own.endedAt?.toISOString() ?? null,
        answers: own.answers ?? null,
      }
    : null;

/** As events.management_refusal finds it. */
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
      })),
  };
}

/** The fields of the form as stored, in one order of their properties, so that two can be compared. What is left out stays. */
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

/** A member's name and links are those of the account. */
function storedSpeaker({ name, role, bio, linkUrl, userId }: SpeakerFields): Required<SpeakerFields> {
  const about = { role: role ?? null, bio: bio ?? null };
  return userId == null
    ? { userId: null, name: name!, ...about, linkUrl: linkUrl ?? null }
    : { userId: userId.toLowerCase(), name: null, ...about, linkUrl: null };
}

/** The location that a venue implies, and whether the venue stays with the location that is given. */
export function placed<Fields extends Pick<Partial<EventFields>, 'location' | 'venue'>>(
  fields: Fields,
  present: Pick<Event, 'location'> | null,
): Fields {
  const { venue, location } = fields;
  if (venue != null && location == null) return { ...fields, location: venueLine(venue) };
  if (present !== null && venue === undefined && location !== undefined && location !== present.location)
    return { ...fields, venue: null };
  return fields;
}

/** Names of the fields that differ, as the API calls them. */
export const changedContent = (before: ContentValues, after: ContentValues): (keyof ContentValues)[] =>
  (Object.keys(after) as (keyof ContentValues)[]).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );

type Span = Pick<EventValues, 'startDate' | 'endDate' | 'timeZone'>;
type Problem = Parameters<typeof invalidFields>[number];

function refuse(problems: Problem[]): void {
  if (problems.length > 0) throw invalidFields(...problems);
}

/** The ids of a list that are not there. */
const missing = (
  field: string,
  ids: string[] | null | undefined,
  there: ReadonlySet<string>,
  rule: string,
): Problem[] =>
  (ids ?? []).flatMap((id, index): Problem[] => (there.has(id) ? [] : [[`${field}[${index}]`, rule]]));

/**
 * What no rule of a field says by itself. An agenda that was there before may lie outside of an event that became shorter.
 * @throws DomainError VALIDATION_FAILED naming the field
 */
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

/**
 * Of a request that gives the description or its format, which together say whether it is Markdown.
 * @throws DomainError VALIDATION_FAILED
 */
export function checkDescription(
  { description, descriptionFormat }: Pick<EventValues, 'description' | 'descriptionFormat'>,
  request: EventChangeFields,
): void {
  if (request.description === undefined && request.descriptionFormat === undefined) return;
  if (description === null || descriptionFormat !== 'markdown') return;
  const fault = markdownFault(description);
  if (fault !== null) throw invalidFields(['description', fault]);
}

/** @throws DomainError VALIDATION_FAILED naming the co-host who is no host */
export function checkCoHosts({ coHosts }: EventContentFields, { hosts }: ContentValues): void {
  refuse(missing('coHosts', coHosts, new Set(hosts), 'is no host'));
}

/** @throws DomainError VALIDATION_FAILED naming the topic that the community does not have */
export function checkTopics({ topics }: EventContentFields, found: ReadonlySet<string>): void {
  refuse(missing('topics', topics, found, 'is no topic of this community'));
}

/** The members that a request names, each once. */
export const membersNamed = ({ hosts, speakers }: EventContentFields): string[] => [
  ...new Set([...(hosts ?? []), ...(speakers ?? []).flatMap(({ userId }) => userId?.toLowerCase() ?? [])]),
];

/** @throws DomainError VALIDATION_FAILED naming the person that is no member, or is named twice */
export function checkMembers({ hosts, speakers }: EventContentFields, found: ReadonlySet<string>): void {
  const problems = missing('hosts', hosts, found, 'is no member');
  const seen = new Set<string>();
  for (const [index, { userId }] of (speakers ?? []).entries()) {
    if (userId == null) continue;
    const id = userId.toLowerCase();
    const rule = !found.has(id) ? 'is no member' : seen.has(id) ? 'is named twice' : null;
    if (rule !== null) problems.push([`speakers[${index}].userId`, rule]);
    seen.add(id);
  }
  refuse(problems);
}

/** The agenda of an event whose start moved, as far on the clocks of its place. */
export function withEvent(
  content: ContentValues,
  before: Span,
  after: Span,
  community: Pick<Community, 'timeZone'>,
): ContentValues {
  const zones = [zoneOf(before, community), zoneOf(after, community)] as const;
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

/** Another event of the series after the same change: what became different becomes the same there, an agenda around its own start. */
export function contentAfterSameChange(
  change: { before: ContentValues; after: ContentValues; span: Span },
  other: { content: ContentValues; before: Span; after: Span },
  community: Pick<Community, 'timeZone'>,
): ContentValues {
  const changed = changedContent(change.before, change.after);
  const own = withEvent(other.content, other.before, other.after, community);
  const same = withEvent(change.after, change.span, other.after, community);
  return { ...own, ...Object.fromEntries(changed.map((field) => [field, same[field]])) } as ContentValues;
}
