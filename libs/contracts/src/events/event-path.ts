/** Drafts have no slug, so their paths contain the id. */
export const eventPath = ({ id, slug }: { id: string; slug?: string | null }): string =>
  slug ? `/e/${slug}` : `/events/${id}`;
