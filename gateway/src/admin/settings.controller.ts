import type * as Contract from '@meetmark/contracts';
import {
  type CommunitySettings,
  EmptyAsNull,
  FONTS,
  FORMS_OF_ADDRESS,
  GetCommunityPicture,
  GetSettings,
  IsBrandColour,
  IsVersion,
  ListSettingsVersions,
  LOCALES,
  ObjectOf,
  pictureHash,
  type SettingName,
  SettingsChanges,
  SettingsFields,
  WEEK_STARTS,
  picturesOf,
} from '@meetmark/contracts';
import { PATTERNS } from '@meetmark/contracts/cover-pattern';
import { brandPalettes } from '@meetmark/platform/community/brand';
import { Body, Controller, Get, HttpCode, Post, Put, Req, Res } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access, FreshSignIn } from '../http/access.js';
import { baseVersion, checkedFields, Filter } from '../http/fields.js';
import { Caller } from '../http/request.js';
import { TakesPicture } from '../media/pictures.js';
import { MOMENT, MOMENT_OR_NULL, OR_NULL, VERSION } from '../openapi/answers.js';
import { Describe, listOf } from '../openapi/describe.js';
import { ANONYMOUS, Services } from '../services.js';
import { BrandPalettes, Sponsor } from '../site/community.controller.js';
import type { User } from '../users/users.dto.js';
import { isRecord, SettingsChange, unpack, withPictures } from './settings-change.js';

const FORMAT = 'meetmark-settings-1';

/** PUT /api/admin/settings. A logo may be a data URL. */
class SettingsBody extends SettingsChanges {
  @IsVersion()
  version?: number;
}

/** GET /api/admin/settings/palettes. */
class Brand {
  @EmptyAsNull()
  @IsBrandColour()
  brandColour: string | null = null;

  @EmptyAsNull()
  @IsBrandColour()
  secondColour: string | null = null;
}

/** What GET /api/admin/settings/export answers; logos are in it as data URLs. */
class SettingsFile {
  @IsIn([FORMAT], { message: `format must be ${FORMAT}: this is no file of exported settings` })
  format!: typeof FORMAT;

  @ObjectOf(SettingsFields)
  settings!: SettingsFields;
}

class Values implements CommunitySettings {
  @ApiProperty() name!: string;
  @ApiProperty() headline!: string;
  @ApiProperty() tagline!: string;
  @ApiProperty() supportEmail!: string;
  @ApiProperty(OR_NULL) linkedInUrl!: string | null;
  @ApiProperty(OR_NULL) logoUrl!: string | null;
  @ApiProperty(OR_NULL) brandColour!: string | null;
  @ApiProperty(OR_NULL) secondColour!: string | null;
  @ApiProperty({ enum: Object.keys(FONTS), nullable: true }) font!: Contract.FontName | null;
  @ApiProperty(OR_NULL) heroUrl!: string | null;
  @ApiProperty({
    ...{ type: 'integer', minimum: 1, maximum: PATTERNS, nullable: true },
    description: 'Behind the headline where there is no picture',
  })
  heroPattern!: number | null;
  @ApiProperty() signInButton!: boolean;
  @ApiProperty({ type: [Sponsor] }) sponsors!: Sponsor[];
  @ApiProperty({ type: 'integer' }) copyrightYear!: number;
  @ApiProperty() currency!: string;
  @ApiProperty() timeZone!: string;
  @ApiProperty() locale!: string;
  @ApiProperty({ enum: LOCALES, isArray: true, nullable: true, description: 'Null: all' })
  languages!: Contract.ProductLocale[] | null;
  @ApiProperty({ enum: FORMS_OF_ADDRESS }) formOfAddress!: Contract.FormOfAddress;
  @ApiProperty({ enum: WEEK_STARTS }) weekStart!: Contract.WeekStart;
  @ApiProperty() paymentNoteDefault!: string;
  @ApiProperty() memberProposals!: boolean;
  @ApiProperty() contactHost!: boolean;
  @ApiProperty() publicAttendees!: boolean;
  @ApiProperty({
    ...OR_NULL,
    description:
      'Where pictures of maps are fetched from: https, with one `*` in place of the address of a venue. It may hold a key: nobody but administrators is answered it',
  })
  mapUrl!: string | null;
  @ApiProperty(OR_NULL) senderName!: string | null;
  @ApiProperty(OR_NULL) terms!: string | null;
  @ApiProperty(OR_NULL) privacy!: string | null;
}

export class Settings implements Contract.Settings {
  @ApiProperty(VERSION) version!: number;
  @ApiProperty() settings!: Values;
  @ApiProperty({ type: [String], description: 'Fixed by the installation: cannot be changed here' })
  locked!: SettingName[];
  @ApiProperty(OR_NULL) changedBy!: string | null;
  @ApiProperty(MOMENT_OR_NULL) changedAt!: string | null;
}

/** Settings are texts, numbers, switches and lists. */
const ANY = {
  oneOf: [
    ...[{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }],
    ...[{ type: 'array', items: {} }, { type: 'object' }],
  ],
};

class SettingChange implements Contract.SettingChange {
  @ApiProperty({ type: String }) name!: SettingName;
  @ApiProperty({ ...ANY, description: 'As the setting is; a long text is cut' }) before!: unknown;
  @ApiProperty(ANY) after!: unknown;
}

class SettingsVersion implements Contract.SettingsVersion {
  @ApiProperty(VERSION) version!: number;
  @ApiProperty(OR_NULL) changedBy!: string | null;
  @ApiProperty(MOMENT) changedAt!: string;
  @ApiProperty({ type: [SettingChange] }) changes!: SettingChange[];
}

class ExportedSettings {
  @ApiProperty({ enum: [FORMAT] }) format!: typeof FORMAT;
  @ApiProperty({ description: 'Logos that are stored here are data URLs' }) settings!: Values;
}

const REFUSALS = [
  ...(['SETTING_LOCKED', 'SETTINGS_UNUSABLE'] as const),
  ...(['PICTURE_TYPE', 'PICTURE_TOO_LARGE', 'PICTURE_BROKEN'] as const),
];

/** The settings of the community, for its owners. */
@Controller('api/admin/settings')
export class SettingsController {
  constructor(
    private readonly services: Services,
    private readonly settings: SettingsChange,
  ) {}

  @Describe({ summary: 'The settings of the community', answers: { 200: Settings } })
  @Get()
  @Access('admin')
  get(): Promise<Settings> {
    return this.services.read(GetSettings, {});
  }

  @Describe({
    summary: 'Change settings; what is left out stays. They hold everywhere within 5 seconds',
    answers: { 200: Settings },
    refuses: REFUSALS,
    body: SettingsBody,
    versioned: true,
  })
  @Put()
  @Access('admin')
  @FreshSignIn()
  @TakesPicture()
  async change(
    @Caller() caller: User,
    @Body() given: unknown,
    @Req() request: FastifyRequest,
  ): Promise<Settings> {
    const { body, pictures } = unpack(given);
    const { version, ...changes } = await checkedFields(SettingsBody, body);
    const options = { userId: caller.id, ip: request.ip, version: baseVersion(request, version) };
    return this.settings.save(changes, pictures, options);
  }

  @Describe({
    summary: 'Who changed which settings, the newest first, at most 20',
    answers: { 200: listOf(SettingsVersion) },
  })
  @Get('versions')
  @Access('admin')
  versions(): Promise<SettingsVersion[]> {
    return this.services.read(ListSettingsVersions, {});
  }

  @Describe({
    summary:
      'What follows from a brand colour and a second one: buttons have the first as it is, words and links the nearest that can be read',
    answers: { 200: BrandPalettes },
  })
  @Get('palettes')
  @Access('admin')
  palettes(@Filter(Brand) { brandColour, secondColour }: Brand): BrandPalettes {
    return brandPalettes(brandColour, secondColour);
  }

  @Describe({ summary: 'The settings as one file', answers: { 200: ExportedSettings } })
  @Get('export')
  @Access('admin')
  async export(@Res({ passthrough: true }) reply: FastifyReply): Promise<ExportedSettings> {
    const { settings } = await this.services.read(GetSettings, {});
    const packed = new Map<string | null, string | null>();
    for (const [, url] of picturesOf(settings)) packed.set(url, await this.packed(url));
    void reply.header('content-disposition', 'attachment; filename="settings.json"');
    return {
      format: FORMAT,
      settings: { ...settings, ...withPictures(settings, (url) => packed.get(url) ?? url) },
    };
  }

  @Describe({
    summary: 'Change the settings to those of a file, by the same rules',
    answers: { 200: Settings },
    refuses: REFUSALS,
    body: SettingsFile,
    versioned: true,
  })
  @Post('import')
  @HttpCode(200)
  @Access('admin')
  @FreshSignIn()
  @TakesPicture()
  async import(
    @Caller() caller: User,
    @Body() given: unknown,
    @Req() request: FastifyRequest,
  ): Promise<Settings> {
    const file = isRecord(given) ? given : {};
    const { body, pictures } = unpack(file.settings);
    const { settings } = await checkedFields(SettingsFile, { ...file, settings: body });
    return this.settings.save({ ...settings }, pictures, {
      userId: caller.id,
      ip: request.ip,
      version: baseVersion(request),
    });
  }

  /** A stored picture as a data URL. */
  private async packed(url: string | null): Promise<string | null> {
    const hash = pictureHash('community', url);
    if (hash === undefined) return url;
    const { base64 } = await this.services.read(GetCommunityPicture, { hash }, ANONYMOUS);
    return `data:image/webp;base64,${base64}`;
  }
}
