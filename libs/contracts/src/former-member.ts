/** Id that stands for every deleted account. Not a version of UUID that Meetmark creates. */
export const FORMER_MEMBER = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Name of a former member in API responses. */
export const FORMER_MEMBER_NAME = 'Former member';
