import type { EventFormat } from '@meetmark/contracts';

const names: Record<EventFormat, string> = {
  in_person: 'In person',
  online: 'Online',
  hybrid: 'Hybrid',
};

/** In the form, on cards, in filters: one word each, everywhere. */
export const formatText = {
  label: 'Format',
  names,
  filter: { all: 'All formats', ...names },
} as const;
