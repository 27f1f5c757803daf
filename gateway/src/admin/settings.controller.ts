import type * as Contract from '@meetmark/contracts';
import {
  About,
  type CommunitySettings,
  EmptyAsNull,
  FONTS,
  GetCommunityPicture,
  GetSettings,
  IsBrandColour,
  IsVersion,
  ListSettingsVersions,
  ObjectOf,
  pictureHash,
  type SettingName,
  SettingsChanges,
  SettingsFields,
  WEEK_STARTS,
  listImages,
} from '@meetmark/contracts';
import { type FormOfAddress, FORMS_OF_ADDRESS, LOCALES, type ProductLocale } from '@meetmark/i18n/locales';
import { PATTERNS } from '@meetmark/contracts/events/cover-pattern';
import { brandPalettes } from '@meetmark/platform/community/brand';
import { Body, Controller, Get, HttpCode, Post, Put, Req, Res } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access, FreshSignIn } from '../http/access.js';
import { AdminSecondFactorRule } from '../http/admin-second-factor.js';
import { baseVersion, checkedFields, Filter } from '../http/fields.js';
import { Caller } from '../http/request.js';
import { TakesPicture } from '../media/pictures.js';
import { MOMENT, MOMENT_OR_NULL, OR_NULL, VERSION } from '../openapi/answers.js';
import { Describe, describeList } from '../openapi/describe.js';
import { ANONYMOUS, Services } from '../services.js';
import { BrandPalettes, Sponsor } from '../site/community.controller.js';
import type { User } from '../users/users.dto.js';
import { isRecord, SettingsChange, unpack, withPictures } from './settings-change.js';

const FORMAT = 'meetmark-settings-1';

/** The images in the settings may be data URLs. */
class SettingsBody extends SettingsChanges {
  @About('The `version` that you read. 409 `EDIT_CONFLICT` if there is a newer one')
  @IsVersion()
  version?: number;
}

class Brand {
  @EmptyAsNull()
  @IsBrandColour()
  brandColour: string | null = null;

  @EmptyAsNull()
  @IsBrandColour()
  secondColour: string | null = null;
}

/** Contains uploaded images as data URLs. */
class SettingsFile {
  @About('Format of the file')
  @IsIn([FORMAT], { message: `format must be ${FORMAT}: this is not a file of exported settings` })
  format!: typeof FORMAT;

  @About('The settings')
  @ObjectOf(SettingsFields)
  settings!: SettingsFields;
}

const DAYS = { type: 'integer', nullable: true, description: 'null: keeps the data' } as const;

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
    description: 'Number of the pattern behind the heading if there is no image',
  })
  heroPattern!: number | null;
  @ApiProperty() signInButton!: boolean;
  @ApiProperty({ type: [Sponsor] }) sponsors!: Sponsor[];
  @ApiProperty({ type: 'integer' }) copyrightYear!: number;
  @ApiProperty() currency!: string;
  @ApiProperty() timeZone!: string;
  @ApiProperty() locale!: string;
  @ApiProperty({ enum: LOCALES, isArray: true, nullable: true, description: 'null: all' })
  languages!: ProductLocale[] | null;
  @ApiProperty({ enum: FORMS_OF_ADDRESS }) formOfAddress!: FormOfAddress;
  @ApiProperty({ enum: WEEK_STARTS }) weekStart!: Contract.WeekStart;
  @ApiProperty() paymentNoteDefault!: string;
  @ApiProperty() memberProposals!: boolean;
  @ApiProperty() contactHost!: boolean;
  @ApiProperty() publicAttendees!: boolean;
  @ApiProperty({
    ...OR_NULL,
    description:
      'https URL of a map image, with `*` in place of the address of the venue. It may contain an API key, so only owners see it',
  })
  mapUrl!: string | null;
  @ApiProperty(OR_NULL) senderName!: string | null;
  @ApiProperty({ description: 'Whether owners need a second factor to use their rights' })
  adminSecondFactorRequired!: boolean;
  @ApiProperty(OR_NULL) terms!: string | null;
  @ApiProperty(OR_NULL) privacy!: string | null;
  @ApiProperty({ description: 'Whether members must accept the current terms before they can go on' })
  termsRequired!: boolean;
  @ApiProperty({
    description: 'Whether members must accept the current privacy policy before they can go on',
  })
  privacyRequired!: boolean;
  @ApiProperty(DAYS) auditNamesDays!: number | null;
  @ApiProperty(DAYS) answersDays!: number | null;
  @ApiProperty(DAYS) checkInsDays!: number | null;
  @ApiProperty(DAYS) unconfirmedAccountsDays!: number | null;
}

export class Settings implements Contract.Settings {
  @ApiProperty(VERSION) version!: number;
  @ApiProperty() settings!: Values;
  @ApiProperty({
    type: [String],
    description: 'Names of settings that the installation fixes. They can’t be changed',
  })
  locked!: SettingName[];
  @ApiProperty(OR_NULL) changedBy!: string | null;
  @ApiProperty(MOMENT_OR_NULL) changedAt!: string | null;
}

const ANY = {
  oneOf: [
    ...[{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }],
    ...[{ type: 'array', items: {} }, { type: 'object' }],
  ],
};

class SettingChange implements Contract.SettingChange {
  @ApiProperty({ type: String }) name!: SettingName;
  @ApiProperty({ ...ANY, description: 'Value of the setting. Long texts are shortened' }) before!: unknown;
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
  @ApiProperty({ description: 'Stored images are data URLs' }) settings!: Values;
}

const REFUSALS = [
  ...(['SETTING_LOCKED', 'SETTINGS_UNUSABLE'] as const),
  ...(['PICTURE_TYPE', 'PICTURE_TOO_LARGE', 'PICTURE_BROKEN'] as const),
];

@Controller('api/admin/settings')
export class SettingsController {
  constructor(
    private readonly services: Services,
    private readonly settings: SettingsChange,
    private readonly secondFactorRule: AdminSecondFactorRule,
  ) {}

  @Describe({ summary: 'Get the settings', answers: { 200: Settings } })
  @Get()
  @Access('admin')
  async get(): Promise<Settings> {
    return this.secondFactorRule.shownIn(await this.services.read(GetSettings, {}));
  }

  @Describe({
    summary: 'Update the settings',
    description:
      "Fields that you leave out keep their value. Takes effect on every replica within 5 seconds. `locked` settings come from the installation and can't be changed (409 `SETTING_LOCKED`). `logoUrl` and `heroUrl` accept data URLs.",
    answers: { 200: Settings },
    refuses: REFUSALS,
    body: SettingsBody,
    versioned: true,
  })
  @Put()
  @Access('admin')
  @FreshSignIn('sensitive')
  @TakesPicture()
  async change(
    @Caller() caller: User,
    @Body() given: unknown,
    @Req() request: FastifyRequest,
  ): Promise<Settings> {
    const { body, pictures } = unpack(given);
    const { version, ...changes } = await checkedFields(SettingsBody, body);
    const options = { userId: caller.id, ip: request.ip, version: baseVersion(request, version) };
    return this.secondFactorRule.shownIn(await this.settings.save(changes, pictures, options));
  }

  @Describe({
    summary: 'List changes of the settings',
    description: 'Returns the last 20 changes, newest first.',
    answers: { 200: describeList(SettingsVersion) },
  })
  @Get('versions')
  @Access('admin')
  versions(): Promise<SettingsVersion[]> {
    return this.services.read(ListSettingsVersions, {});
  }

  @Describe({
    summary: 'Preview the colours of a brand',
    description:
      'Computes the palettes of `brandColour` and `secondColour` without saving them. Buttons use the brand colour as it is; text and links use the closest readable shade.',
    answers: { 200: BrandPalettes },
  })
  @Get('palettes')
  @Access('admin')
  palettes(@Filter(Brand) { brandColour, secondColour }: Brand): BrandPalettes {
    return brandPalettes(brandColour, secondColour);
  }

  @Describe({
    summary: 'Export the settings',
    description: 'Returns one JSON file. In it, stored images are data URLs.',
    answers: { 200: ExportedSettings },
  })
  @Get('export')
  @Access('admin')
  async export(@Res({ passthrough: true }) reply: FastifyReply): Promise<ExportedSettings> {
    const { settings } = await this.services.read(GetSettings, {});
    const packed = new Map<string | null, string | null>();
    for (const [, url] of listImages(settings)) packed.set(url, await this.packed(url));
    void reply.header('content-disposition', 'attachment; filename="settings.json"');
    return {
      format: FORMAT,
      settings: { ...settings, ...withPictures(settings, (url) => packed.get(url) ?? url) },
    };
  }

  @Describe({
    summary: 'Import the settings',
    description:
      'Takes the file of `GET /api/admin/settings/export`. The same rules as for `PUT /api/admin/settings` apply.',
    answers: { 200: Settings },
    refuses: REFUSALS,
    body: SettingsFile,
    versioned: true,
  })
  @Post('import')
  @HttpCode(200)
  @Access('admin')
  @FreshSignIn('sensitive')
  @TakesPicture()
  async import(
    @Caller() caller: User,
    @Body() given: unknown,
    @Req() request: FastifyRequest,
  ): Promise<Settings> {
    const file = isRecord(given) ? given : {};
    const { body, pictures } = unpack(file.settings);
    const { settings } = await checkedFields(SettingsFile, { ...file, settings: body });
    const options = { userId: caller.id, ip: request.ip, version: baseVersion(request) };
    return this.secondFactorRule.shownIn(await this.settings.save({ ...settings }, pictures, options));
  }

  private async packed(url: string | null): Promise<string | null> {
    const hash = pictureHash('community', url);
    if (hash === undefined) return url;
    const { base64 } = await this.services.read(GetCommunityPicture, { hash }, ANONYMOUS);
    return `data:image/webp;base64,${base64}`;
  }
}
