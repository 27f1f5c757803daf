import type * as Contract from '@meetmark/contracts';
import { ERRORS, type ErrorBody, type ErrorCode } from '@meetmark/contracts';
import { ApiExtraModels, ApiProperty, ApiSchema, getSchemaPath } from '@nestjs/swagger';

export const ID = { format: 'uuid' };
export const MOMENT = { format: 'date-time' };
export const OR_NULL = { type: String, nullable: true };
export const ID_OR_NULL = { ...ID, ...OR_NULL };
export const MOMENT_OR_NULL = { ...MOMENT, ...OR_NULL };
export const COUNT = { type: 'integer', minimum: 0 } as const;
export const PICTURE = {
  ...OR_NULL,
  description: 'Path on this site, or null. The image at a path never changes',
};
export const ANSWERS = {
  type: 'object' as const,
  additionalProperties: { oneOf: [{ type: 'string' }, { type: 'boolean' }] },
};
export const VERSION = {
  type: 'integer',
  minimum: 1,
  description: 'Increases with every change. Send it back when you update',
} as const;

export class Notice {
  @ApiProperty({ description: 'What happened, in English' }) message!: string;
}

class Edit implements Contract.Edit {
  @ApiProperty({ ...OR_NULL, description: 'Name of the person. null: an owner, or a deleted account' }) by!:
    | string
    | null;
  @ApiProperty({ description: 'Whether you made the change, in another session' }) own!: boolean;
  @ApiProperty(MOMENT) at!: string;
  @ApiProperty({ type: [String], description: 'Names of the changed fields' }) changed!: string[];
}

const OPTIONAL = { required: false };

class FieldRule implements Contract.FieldRule {
  @ApiProperty({ description: 'Stable name: `required`, `unknown`, `isEmail`, `maxLength`, …' })
  rule!: string;
  @ApiProperty({ ...OPTIONAL, description: 'Limit of the rule: characters, items or the number itself' })
  limit?: number;
  @ApiProperty({ ...OPTIONAL, type: [String], description: 'For `isIn`: the allowed values' })
  values?: string[];
}

class ErrorDetails implements Required<Contract.ErrorDetails> {
  @ApiProperty({
    type: 'object',
    selfRequired: false,
    additionalProperties: { type: 'array', items: { type: 'string' } },
    description:
      'With `VALIDATION_FAILED`: a message for each invalid field. Names of nested fields have dots',
  })
  fields!: Required<Contract.ErrorDetails>['fields'];
  @ApiProperty({
    type: 'object',
    selfRequired: false,
    additionalProperties: { $ref: getSchemaPath(FieldRule) },
    description: 'The rule that each field breaks, for clients that show their own messages',
  })
  rules!: Required<Contract.ErrorDetails>['rules'];
  @ApiProperty({
    ...OPTIONAL,
    ...COUNT,
    description: 'With `CAPACITY_BELOW_REGISTERED`: number of people registered',
  })
  registered!: number;
  @ApiProperty({
    ...OPTIONAL,
    ...COUNT,
    description: 'With `WAITLIST_NOT_EMPTY` and `EVENT_FULL`: length of the waiting list',
  })
  waiting!: number;
  @ApiProperty({ ...OPTIONAL, type: String, description: 'With `QUESTION_ANSWERED`: the question' })
  question!: string;
  @ApiProperty({ ...OPTIONAL, type: 'integer', minimum: 1, description: 'With 429 and 503: seconds to wait' })
  retryAfter!: number;
  @ApiProperty({
    ...OPTIONAL,
    type: [String],
    description: 'With `METHOD_NOT_ALLOWED`: the methods of the path',
  })
  allow!: string[];
  @ApiProperty({
    ...OPTIONAL,
    anyOf: [
      { $ref: getSchemaPath('EventPage') },
      { $ref: getSchemaPath('User') },
      { $ref: getSchemaPath('Settings') },
    ],
    description: 'With `EDIT_CONFLICT`: the current state',
  })
  present!: Required<Contract.ErrorDetails>['present'];
  @ApiProperty({
    ...OPTIONAL,
    type: [String],
    description: 'With `SETTING_LOCKED`: names of the locked settings',
  })
  locked!: string[];
  @ApiProperty({
    ...OPTIONAL,
    type: [Edit],
    description: 'With `EDIT_CONFLICT`: changes since your version, newest first, up to a month back',
  })
  edits!: Edit[];
  @ApiProperty({
    ...OPTIONAL,
    enum: ['not-started', 'unknown'],
    description: 'With 503: whether the request may have been carried out',
  })
  outcome!: Required<Contract.ErrorDetails>['outcome'];
  @ApiProperty({
    ...OPTIONAL,
    isArray: true,
    enum: ['totp', 'passkey', 'recovery'],
    description: 'With `SECOND_FACTOR_REQUIRED`: the accepted second factors',
  })
  methods!: Required<Contract.ErrorDetails>['methods'];
  @ApiProperty({ ...OPTIONAL, description: 'With `ACCOUNT_CLOSED`: when the account will be deleted' })
  deletedAt!: string;
}

@ApiExtraModels(FieldRule)
@ApiSchema({ name: 'Error' })
export class ErrorAnswer implements ErrorBody {
  @ApiProperty({ type: 'integer', description: 'The HTTP status' }) statusCode!: number;
  @ApiProperty({ enum: Object.keys(ERRORS), description: 'Stable. Use it to tell errors apart' })
  code!: ErrorCode;
  @ApiProperty({ description: 'Text for people, in English. May change' }) message!: string;
  @ApiProperty(OPTIONAL) details?: ErrorDetails;
  @ApiProperty({ description: 'Identifies the request in the logs. Also in `X-Request-Id`' })
  requestId!: string;
}
