import { browseText } from '../../strings/events';
import { usePageTitle } from '../../ui/screen-heading';
import { BrowseEvents } from './browse-events';

export default function BrowseScreen() {
  usePageTitle(browseText.title);
  return <BrowseEvents heading="h1" />;
}
