import { allJobs, EventChanged, SendAnnouncement, SendMessage } from '@meetmark/contracts';

/** Jobs that send no email themselves, but add a job for each recipient. */
const FAN_OUTS = [EventChanged, SendMessage, SendAnnouncement].map(({ name }) => name);

/** Returns the names of all jobs that send an email. */
export const listMailJobs = () =>
  allJobs()
    .map(({ name }) => name)
    .filter((name) => /^(mail|messages|announcements)\./.test(name) && !FAN_OUTS.includes(name));
