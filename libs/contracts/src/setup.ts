import { Matches, MinLength } from 'class-validator';
import { FLOW_SECRET } from './codes.js';
import { LIMITS } from './limits.js';
import { defineMessage, Nothing } from './message.js';
import { PersonFields, type SessionUser } from './users.js';
import { IsPassword, ObjectOf } from './validation.js';

/** Milliseconds that a link to set up the installation works. */
export const SETUP_LINK_LIFETIME = 24 * 3_600_000;

/** Where the link leads: the secret follows the #, so that no server, log or Referer receives it. */
export const setupLink = (publicUrl: string, token: string) => new URL(`/setup#${token}`, publicUrl).href;

class OwnerFields extends PersonFields {
  @MinLength(LIMITS.ownerPasswordMin, {
    message: `Password must be at least ${LIMITS.ownerPasswordMin} characters`,
  })
  @IsPassword()
  password!: string;
}

export class SetUpRequest {
  @Matches(FLOW_SECRET, { message: 'The link is not complete', context: { rule: 'isLink' } })
  token!: string;

  @ObjectOf(OwnerFields)
  owner!: OwnerFields;
}

/**
 * Makes the first owner of an installation that has none. A repetition with the same link, address and password, because the answer was
 * lost, is answered the same. NOT_FOUND once there is an owner, SETUP_LINK_INVALID for a link that is wrong, used, old or replaced.
 */
export const SetUp = defineMessage({
  service: 'auth',
  name: 'setup.begin',
  access: 'public',
  request: SetUpRequest,
})<SessionUser>();

export interface SetupState {
  /** Whether the installation still has no owner. */
  open: boolean;
}

export const GetSetupState = defineMessage({
  service: 'auth',
  name: 'setup.state',
  access: 'public',
  reads: true,
  request: Nothing,
})<SetupState>();
