import { lazyComponent } from '../../ui/lazy';

/** What who manages an event finds above its page; for few people, so the page does not wait for it. */
export default lazyComponent(async () => ({ default: (await import('./event-menu')).OrganiserBar }), {
  Failed: () => null,
  waiting: null,
});
