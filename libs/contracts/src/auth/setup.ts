import { Matches, MinLength } from 'class-validator';
import { FLOW_SECRET } from './codes.js';
import { LIMITS } from '../limits.js';
import { messagesTo, Nothing } from '../message.js';
import { PersonFields, type SessionUser } from './users.js';
import { About, IsPassword, ObjectOf } from '../validation.js';

const auth = messagesTo('auth');

/** Milliseconds. */
export const SETUP_LINK_LIFETIME = 24 * 3_600_000;

/** The secret follows the #, so that servers, logs and referrers don't see it. */
export const setupLink = (publicUrl: string, token: string) => new URL(`/setup#${token}`, publicUrl).href;

class OwnerFields extends PersonFields {
  @About('At least 10 characters')
  @MinLength(LIMITS.ownerPasswordMin, {
    message: `Password must be at least ${LIMITS.ownerPasswordMin} characters`,
  })
  @IsPassword()
  password!: string;
}

export class SetUpRequest {
  @About('The part after the `#` of the setup link')
  @Matches(FLOW_SECRET, { message: 'The link is incomplete', context: { rule: 'isLink' } })
  token!: string;

  @About('The first owner')
  @ObjectOf(OwnerFields)
  owner!: OwnerFields;
}

/**
 * Idempotent for the same link, email address and password.
 * @throws NOT_FOUND if the community has an owner
 * @throws SETUP_LINK_INVALID if the link is wrong, used, expired or replaced
 */
export const SetUp = auth.public('setup.begin', SetUpRequest)<SessionUser>();

export interface SetupState {
  open: boolean;
}

export const GetSetupState = auth.public('setup.state', Nothing)<SetupState>();
