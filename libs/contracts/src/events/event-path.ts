/** Drafts have no slug, so their paths contain the id, as do all paths below. */
export const eventPath = ({ id, slug }: { id: string; slug?: string | null }): string =>
  slug ? `/e/${slug}` : `/events/${id}`;
