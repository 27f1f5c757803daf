import { focusPlace } from './focus-place';

describe('The place of the focus', () => {
  afterEach(() => document.body.replaceChildren());

  it('is nowhere while nothing has it: it is not given to the first link of the page', () => {
    document.body.innerHTML =
      '<a href="#content">Skip to content</a><main id="content" tabindex="-1"></main>';
    const giveBack = focusPlace(document.body);
    expect(giveBack()).toBe(false);
    expect(document.activeElement).toBe(document.body);
  });

  it('is that of the next row when its own has gone', () => {
    document.body.innerHTML = '<ul><li><button>First</button></li><li><button>Second</button></li></ul>';
    const [first, second] = document.querySelectorAll('button');
    const giveBack = focusPlace(first!);
    first!.parentElement!.remove();
    expect(giveBack()).toBe(true);
    expect(document.activeElement).toBe(second);
  });
});
