import { Injectable, type INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { GatewayConfig } from '../gateway.config.js';
import { bodyClasses } from '../http/fields.js';
import { cookieName } from '../http/session.js';
import { ErrorAnswer } from './answers.js';
import { COOKIE_AUTH, refusals } from './describe.js';
import { requestSchema, type JsonSchema } from './request-schema.js';

const DESCRIPTION = `Conventions: JSON in and out; dates are ISO 8601 UTC; ids are UUIDs; lists are plain arrays, paged with \`limit\` and \`cursor\`;
every refusal is an \`Error\` with a stable \`code\`. An address without such a method is 405 \`METHOD_NOT_ALLOWED\` and says in \`Allow\` what it takes;
a slash at the end of an address changes nothing. Requests that change something must come from this site or from no page at all.`;

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Schemas = NonNullable<OpenAPIObject['components']>['schemas'];

/**
 * The OpenAPI 3.1 description, made from the routes and their decorators. It is made when it is first asked for: it costs a start a quarter
 * of a second, and most gateways are never asked.
 */
@Injectable()
export class ApiDocument {
  private document?: OpenAPIObject;
  private app?: INestApplication;

  constructor(private readonly config: GatewayConfig) {}

  /** @param app with all its routes */
  describe(app: INestApplication): void {
    this.app = app;
  }

  get(): OpenAPIObject {
    return (this.document ??= this.make());
  }

  private make(): OpenAPIObject {
    if (this.app === undefined) throw new Error('the application has no routes yet');
    const base = new DocumentBuilder()
      .setOpenAPIVersion('3.1.0')
      .setTitle('Meetmark API')
      .setDescription(DESCRIPTION)
      .setVersion('1')
      .addServer('/')
      .addCookieAuth(cookieName(this.config), { type: 'apiKey', in: 'cookie' }, COOKIE_AUTH)
      .build();
    const document = SwaggerModule.createDocument(this.app, base, {
      autoTagControllers: true,
      extraModels: [ErrorAnswer],
    });
    for (const operation of Object.values(document.paths).flatMap((methods): Operation[] =>
      Object.values(methods),
    )) {
      operation.security ??= []; // said, not left to be understood
      Object.assign(operation.responses, refusals(operation.operationId ?? ''));
    }
    const answers = (document.components?.schemas ?? {}) as Record<string, JsonSchema>;
    for (const schema of Object.values(answers))
      schema.additionalProperties ??= Object.keys(schema.properties ?? {}).length === 0;
    const bodies = Object.fromEntries(bodyClasses().map((type) => [type.name, requestSchema(type)]));
    document.components = { ...document.components, schemas: { ...answers, ...bodies } as Schemas };
    return document;
  }
}
