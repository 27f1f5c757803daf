export const VISITOR = '00000000-0000-0000-0000-000000000000';
export const VISITOR_NAME = 'Visitor';

/** Replaces the ids of people in entries that are older than the community wants to remember. */
export const SOMEONE = 'eeeeeeee-eeee-eeee-eeee-eeeeeeeeeeee';
export const SOMEONE_NAME = 'Someone';
