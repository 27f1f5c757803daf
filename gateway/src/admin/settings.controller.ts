import type * as Contract from '@meetmark/contracts';
import {
  ChangeSettings,
  type CommunitySettings,
  GetCommunityPicture,
  GetSettings,
  invalidFields,
  IsBrandColour,
  IsVersion,
  LIMITS,
  ListSettingsVersions,
  ObjectOf,
  pictureHash,
  pictureUrl,
  type SettingName,
  SettingsChanges,
  SettingsFields,
  StoreCommunityPicture,
  WEEK_STARTS,
} from '@meetmark/contracts';
import { CommunityFollower, unknownPictures } from '@meetmark/platform';
import { brandPalettes } from '@meetmark/platform/community/brand';
import { Body, Controller, Get, HttpCode, Injectable, Post, Put, Req, Res } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access, FreshSignIn } from '../http/access.js';
import { baseVersion, checkedFields, Filter } from '../http/fields.js';
import { Caller } from '../http/request.js';
import { Pictures, TakesPicture } from '../media/pictures.js';
import { MOMENT, MOMENT_OR_NULL, OR_NULL, VERSION } from '../openapi/answers.js';
import { Describe, listOf } from '../openapi/describe.js';
import { ANONYMOUS, Services } from '../services.js';
import { BrandPalettes, Sponsor } from '../site/community.js';
import type { User } from '../users/users.dto.js';

const FORMAT = 'meetmark-settings-1';

/** PUT /api/admin/settings. A logo may be a data URL. */
class SettingsBody extends SettingsChanges {
  @IsVersion()
  version?: number;
}

/** GET /api/admin/settings/palettes. */
class Brand {
  @IsBrandColour()
  brandColour!: string;
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
  @ApiProperty({ type: [Sponsor] }) sponsors!: Sponsor[];
  @ApiProperty({ type: 'integer' }) copyrightYear!: number;
  @ApiProperty() currency!: string;
  @ApiProperty() timeZone!: string;
  @ApiProperty() locale!: string;
  @ApiProperty({ enum: WEEK_STARTS }) weekStart!: Contract.WeekStart;
  @ApiProperty() paymentNoteDefault!: string;
  @ApiProperty() memberProposals!: boolean;
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

class SettingChange implements Contract.SettingChange {
  @ApiProperty({ type: String }) name!: SettingName;
  @ApiProperty({ description: 'As the setting is; a long text is cut' }) before!: unknown;
  @ApiProperty() after!: unknown;
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

/** The pictures of a body, out of it: what is checked and sent on has their places only. */
interface Unpacked {
  body: unknown;
  /** Data URLs by the address that stands in their place. */
  pictures: Map<string, string>;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const HASH_LENGTH = 64;

function unpack(body: unknown): Unpacked {
  const pictures = new Map<string, string>();
  const place = (value: unknown) => {
    if (typeof value !== 'string' || !value.startsWith('data:') || pictures.size > LIMITS.sponsors)
      return value;
    const address = pictureUrl('community', String(pictures.size).padStart(HASH_LENGTH, '0'));
    pictures.set(address, value);
    return address;
  };
  const unpacked = (item: unknown) =>
    isRecord(item) && 'logoUrl' in item ? { ...item, logoUrl: place(item.logoUrl) } : item;
  if (!isRecord(body)) return { body, pictures };
  const own = unpacked(body) as Record<string, unknown>;
  const { sponsors } = own;
  if (Array.isArray(sponsors)) own.sponsors = sponsors.slice(0, LIMITS.sponsors + 1).map(unpacked);
  return { body: own, pictures };
}

/** Changes the settings on behalf of the caller: the pictures in them are stored first, one by one. */
@Injectable()
export class SettingsChange {
  constructor(
    private readonly services: Services,
    private readonly pictures: Pictures,
    private readonly follower: CommunityFollower,
  ) {}

  async save(
    changes: Contract.SettingsChanges,
    pictures: Map<string, string>,
    { userId, ip, version }: { userId: string; ip: string; version?: number },
  ): Promise<Settings> {
    const [unknown] = unknownPictures(changes, this.follower.pictures);
    if (unknown !== undefined) throw invalidFields([unknown, 'is no picture that is stored here']);
    const given = Object.entries(changes).filter(([, value]) => value !== undefined);
    await this.follower.tryOut({ ...this.follower.community, ...Object.fromEntries(given) });
    const stored = new Map<string, string>();
    for (const [place, dataUrl] of pictures) stored.set(place, await this.store(dataUrl, { userId, ip }));
    const at = <T extends string | null | undefined>(url: T) => (stored.get(url ?? '') ?? url) as T;
    const { logoUrl, sponsors } = changes;
    const named = {
      ...changes,
      ...(logoUrl === undefined ? {} : { logoUrl: at(logoUrl) }),
      ...(sponsors === undefined
        ? {}
        : { sponsors: sponsors.map((sponsor) => ({ ...sponsor, logoUrl: at(sponsor.logoUrl) })) }),
    };
    const saved = await this.services.call(ChangeSettings, { changes: named, version });
    await this.follower.look(); // whoever has changed them sees it at once
    return saved;
  }

  private async store(dataUrl: string, by: { userId: string; ip: string }): Promise<string> {
    const { picture } = await this.pictures.change(dataUrl, { kind: 'community', field: 'logoUrl', ...by });
    await this.services.call(StoreCommunityPicture, { picture: picture! });
    return pictureUrl('community', picture!.hash);
  }
}

const REFUSALS = [
  ...(['SETTING_LOCKED', 'COLOUR_UNREADABLE', 'SETTINGS_UNUSABLE'] as const),
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
      'The colours of both schemes that follow a brand colour; refused with the nearest one that can be read',
    answers: { 200: BrandPalettes },
    refuses: ['COLOUR_UNREADABLE'],
  })
  @Get('palettes')
  @Access('admin')
  palettes(@Filter(Brand) { brandColour }: Brand): BrandPalettes {
    return brandPalettes(brandColour);
  }

  @Describe({ summary: 'The settings as one file', answers: { 200: ExportedSettings } })
  @Get('export')
  @Access('admin')
  async export(@Res({ passthrough: true }) reply: FastifyReply): Promise<ExportedSettings> {
    const { settings } = await this.services.read(GetSettings, {});
    const packed = async <T extends { logoUrl: string | null }>(item: T): Promise<T> => ({
      ...item,
      logoUrl: await this.packed(item.logoUrl),
    });
    const sponsors = [];
    for (const sponsor of settings.sponsors) sponsors.push(await packed(sponsor));
    void reply.header('content-disposition', 'attachment; filename="settings.json"');
    return { format: FORMAT, settings: { ...(await packed(settings)), sponsors } };
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
