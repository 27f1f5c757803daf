import { IsInt, Matches, Min } from 'class-validator';
import { messagesTo, Nothing } from '../message.js';
import { IsId } from '../validation.js';

const auth = messagesTo('auth');

export interface DataExport {
  id: string;
  requestedAt: string;
  /** Null while the worker prepares the file. */
  readyAt: string | null;
  /** The file is deleted after this time. Until it is ready, the time when the request ends. */
  expiresAt: string;
  /** In bytes. Null until the file is ready. */
  size: number | null;
}

export class RequestDataExportRequest {
  /** Pseudonym of the caller's account in the security events. Only the gateway can compute it. */
  @Matches(/^[\w-]{22}$/)
  account!: string;
}

export class DataExportPartRequest {
  @IsId()
  exportId!: string;

  @IsInt()
  @Min(0)
  number!: number;
}

/** Returns the caller's present export if there is one, otherwise starts one. */
export const RequestDataExport = auth.member('dataExports.request', RequestDataExportRequest, {
  fresh: 'sensitive',
})<DataExport>();

export const GetDataExport = auth.member('dataExports.get', Nothing)<DataExport | null>();

/**
 * Each part except the last has DATA_EXPORT.partBytes bytes.
 * @throws DATA_EXPORT_NOT_FOUND
 */
export const GetDataExportPart = auth.member('dataExports.getPart', DataExportPartRequest)<{
  base64: string;
}>();
