// A file of its own: what visitors load has nothing else of the pages.

/** The path of an event's page: its short address, or by the id of a draft, which has none. What lies below it goes by the id. */
export const eventPath = ({ id, slug }: { id: string; slug?: string | null }): string =>
  slug ? `/e/${slug}` : `/events/${id}`;
