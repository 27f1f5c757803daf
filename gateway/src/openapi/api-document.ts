import { Injectable, type INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { GatewayConfig } from '../gateway.config.js';
import { bodyClasses } from '../http/fields.js';
import { cookieName } from '../http/session.js';
import { ErrorAnswer } from './answers.js';
import { COOKIE_AUTH, refusals } from './describe.js';
import { INTRODUCTION } from './introduction.js';
import { requestSchema, type JsonSchema } from './request-schema.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Schemas = NonNullable<OpenAPIObject['components']>['schemas'];

/** Built on the first request, because it takes a quarter of a second and most gateways never need it. */
@Injectable()
export class ApiDocument {
  private document?: OpenAPIObject;
  private app?: INestApplication;

  constructor(private readonly config: GatewayConfig) {}

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
      .setDescription(INTRODUCTION)
      .setVersion('1')
      .addServer('/')
      .addCookieAuth(
        cookieName(this.config),
        { type: 'apiKey', in: 'cookie', description: 'The session cookie that `POST /api/login` sets' },
        COOKIE_AUTH,
      )
      .build();
    const document = SwaggerModule.createDocument(this.app, base, {
      autoTagControllers: true,
      extraModels: [ErrorAnswer],
    });
    for (const operation of Object.values(document.paths).flatMap((methods): Operation[] =>
      Object.values(methods),
    )) {
      operation.security ??= []; // Makes it explicit that the call needs no session.
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
