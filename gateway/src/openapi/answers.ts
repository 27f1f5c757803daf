import type * as Contract from '@meetmark/contracts';
import { ERRORS, type ErrorBody, type ErrorCode } from '@meetmark/contracts';
import { ApiExtraModels, ApiProperty, ApiSchema, getSchemaPath } from '@nestjs/swagger';

// Options of @ApiProperty() that several answer classes share.
export const ID = { format: 'uuid' };
export const MOMENT = { format: 'date-time' };
export const OR_NULL = { type: String, nullable: true };
export const ID_OR_NULL = { ...ID, ...OR_NULL };
export const MOMENT_OR_NULL = { ...MOMENT, ...OR_NULL };
export const COUNT = { type: 'integer', minimum: 0 } as const;
export const PICTURE = { ...OR_NULL, description: 'Immutable address on this site, or null' };
export const ANSWERS = {
  type: 'object' as const,
  additionalProperties: { oneOf: [{ type: 'string' }, { type: 'boolean' }] },
};
export const VERSION = {
  type: 'integer',
  minimum: 1,
  description: 'Raised by every change; sent back with a change',
} as const;

/** The answer of a call that only says what it did. */
export class Notice {
  @ApiProperty() message!: string;
}

class Edit implements Contract.Edit {
  @ApiProperty({ ...OR_NULL, description: 'Null: an administrator' }) by!: string | null;
  @ApiProperty() own!: boolean;
  @ApiProperty(MOMENT) at!: string;
  @ApiProperty({ type: [String] }) changed!: string[];
}

const OPTIONAL = { required: false };

class FieldRule implements Contract.FieldRule {
  @ApiProperty({ description: 'Stable: required, unknown, isEmail, maxLength, …' }) rule!: string;
  @ApiProperty({ ...OPTIONAL, description: 'The figure of the rule: characters, items or the number itself' })
  limit?: number;
  @ApiProperty({ ...OPTIONAL, type: [String], description: 'Of isIn' }) values?: string[];
}

class ErrorDetails implements Required<Contract.ErrorDetails> {
  @ApiProperty({
    type: 'object',
    selfRequired: false,
    additionalProperties: { type: 'array', items: { type: 'string' } },
  })
  fields!: Required<Contract.ErrorDetails>['fields'];
  @ApiProperty({
    type: 'object',
    selfRequired: false,
    additionalProperties: { $ref: getSchemaPath(FieldRule) },
    description: 'Of those fields whose own rule refuses them: for clients that word it themselves',
  })
  rules!: Required<Contract.ErrorDetails>['rules'];
  @ApiProperty({ ...OPTIONAL, ...COUNT }) registered!: number;
  @ApiProperty({ ...OPTIONAL, ...COUNT }) waiting!: number;
  @ApiProperty({ ...OPTIONAL, type: String }) question!: string;
  @ApiProperty({ ...OPTIONAL, type: 'integer', minimum: 1 }) retryAfter!: number;
  @ApiProperty({ ...OPTIONAL, type: [String] }) allow!: string[];
  @ApiProperty({
    ...OPTIONAL,
    anyOf: [
      { $ref: getSchemaPath('EventPage') },
      { $ref: getSchemaPath('User') },
      { $ref: getSchemaPath('Settings') },
    ],
  })
  present!: Required<Contract.ErrorDetails>['present'];
  @ApiProperty({ ...OPTIONAL, type: [String], description: 'With SETTING_LOCKED: their names' })
  locked!: string[];
  @ApiProperty({ ...OPTIONAL, type: [Edit] }) edits!: Edit[];
  @ApiProperty({ ...OPTIONAL, enum: ['not-started', 'unknown'] })
  outcome!: Required<Contract.ErrorDetails>['outcome'];
  @ApiProperty({ ...OPTIONAL, isArray: true, enum: ['totp', 'passkey', 'recovery'] })
  methods!: Required<Contract.ErrorDetails>['methods'];
}

@ApiExtraModels(FieldRule)
@ApiSchema({ name: 'Error' })
export class ErrorAnswer implements ErrorBody {
  @ApiProperty({ type: 'integer' }) statusCode!: number;
  @ApiProperty({ enum: Object.keys(ERRORS) }) code!: ErrorCode;
  @ApiProperty() message!: string;
  @ApiProperty(OPTIONAL) details?: ErrorDetails;
  @ApiProperty() requestId!: string;
}
