import type { Event } from '@meetmark/contracts';

interface Host {
  id: string;
  firstName: string;
  lastName: string;
  profileImageUrl: string | null;
  linkedInUrl: string | null;
  agreed: boolean;
}

interface Speaker {
  name: string;
  role: string | null;
  bio: string | null;
  linkUrl: string | null;
  userId: string | null;
  profileImageUrl: string | null;
  agreed: boolean;
}

interface Venue {
  name: string;
  address: string | null;
  note: string | null;
  mapUrl: string | null;
}

interface AgendaItem {
  startsAt: string;
  endsAt: string | null;
  title: string;
  note: string | null;
}

export interface EventContent {
  venue: Venue | null;
  onlineUrl: string | null;
  onlineNote: string | null;
  hasOnlineUrl: boolean;
  hosts: Host[];
  agenda: AgendaItem[];
  speakers: Speaker[];
  resources: { title: string; url: string }[];
  recap: string | null;
}

/** An event as the answers about it alone show it. */
export interface EventPage extends Event {
  descriptionFormat?: 'plain' | 'markdown';
  paymentNote?: string | null;
  content?: EventContent;
}
