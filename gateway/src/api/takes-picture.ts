import { PICTURES } from '@meetmark/contracts';
import { routeTraits } from '../http/route.js';

/** Bytes: base64 makes three bytes into four; the other fields need little. */
const BODY_LIMIT = Math.ceil(PICTURES.maxBytes / 3) * 4 + 128 * 1024;

/** A picture too large by its own limit is told so (PICTURE_TOO_LARGE); what is larger still is not read. */
export const TakesPicture = () => routeTraits({ bodyLimit: BODY_LIMIT });
