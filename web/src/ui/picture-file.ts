import { PICTURES } from '@meetmark/contracts/limits';
import { pictureText } from '../strings/profile';

const MEGABYTE = 1024 * 1024;

/** Thrown for a file that cannot be a picture of ours; its message is for the reader. */
export class PictureFileError extends Error {}

/** A chosen file as the data URL that the API takes. PictureFileError when it is no image, too large or cannot be read. */
export async function readPicture(file: File): Promise<string> {
  if (!file.type.startsWith('image/')) throw new PictureFileError(pictureText.notAnImage);
  if (file.size > PICTURES.maxBytes)
    throw new PictureFileError(pictureText.tooLarge(PICTURES.maxBytes / MEGABYTE));
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new PictureFileError(pictureText.unreadable, { cause: reader.error }));
    reader.readAsDataURL(file);
  });
}
