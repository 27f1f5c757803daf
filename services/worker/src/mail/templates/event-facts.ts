import { facts } from '../content.js';

/** What every mail about an event says of it. */
export interface EventFacts {
  title: string;
  /** In the community's zone, see formatSpan. */
  when: string;
  location: string | null;
}

export const eventFacts = ({ title, when, location }: EventFacts) =>
  facts(['Event', title], ['When', when], ['Where', location]);
