// A small shop in three languages whose last commit asks for every kind of context, for tests.
import { type ScratchRepository, scratchRepository } from '../../../git/testing/scratch-repository.js';

type Files = Readonly<Record<string, string>>;

const filler = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => `${line(at)}\n`).join('');

const typescript = (signature: string, gone: string, shape: string): Files => ({
  'web/price.ts': `import { rates } from './rates';
import type { Basket } from './basket';

/** What a basket costs. */
export function price(${signature}): number {
  const base = basket.items.length * rates.unit;
  return base;
}
${gone}
function local(n: number) {
  return n + 1;
}
${filler(40, (at) => `export const step${at} = local(${at});`)}`,
  'web/rates.ts': 'export const rates = { unit: 3 };\n',
  'web/basket.ts': `export interface Basket {
  items: string[];${shape}
}

export class Cart implements Basket {
  items: string[] = [];
  add(item: string) {
    this.items.push(item);
  }
  clear() {
    this.items = [];
  }
}
`,
  'web/checkout.ts': `import { Cart } from './basket';
import { discount, price } from './price';

export function checkout() {
  const cart = new Cart();
  cart.add('book');
  return price(cart) - discount();
}
`,
  'web/other.ts': `function price(n: number) {
  return n;
}
export const unrelated = price(1);
`,
  'web/settings.ts': "export const currency = process.env.SHOP_CURRENCY ?? 'EUR';\n",
});

const python = (signature: string, gone: string, shape: string): Files => ({
  'api/price.py': `from .rates import UNIT


def price(${signature}):
    """What a basket costs."""
    base = len(basket.items) * UNIT
    return base

${gone}
class Basket:
    items = []${shape}

    def add(self, item):
        self.items.append(item)

    def clear(self):
        self.items = []
`,
  'api/rates.py': 'UNIT = 3\n',
  'api/__init__.py': '',
  'api/checkout.py': `from .price import Basket, discount, price


class Gift(Basket):
    pass


def checkout():
    basket = Basket()
    basket.add("book")
    return price(basket) - discount()
`,
  'api/other.py': `def price(n):
    return n


unrelated = price(1)
`,
});

const golang = (signature: string, gone: string, shape: string): Files => ({
  'srv/price.go': `package srv

// Price is what a basket costs.
func Price(${signature}) int {
	base := len(basket.Items) * unit
	return base
}
${gone}
type Basket struct {
	Items []string${shape}
}

func (b *Basket) Add(item string) {
	b.Items = append(b.Items, item)
}

func (b *Basket) Clear() {
	b.Items = nil
}

const unit = 3
`,
  'srv/store.go': `package srv

type Store interface {
	Add(item string)
	Clear()
}
`,
  'srv/checkout.go': `package srv

func Checkout() int {
	basket := Basket{}
	basket.Add("book")
	return Price(basket) - Discount()
}
`,
  'tool/price.go': `package tool

func Price(n int) int {
	return n
}

var unrelated = Price(1)
`,
});

const config = (currency: string) => `shop:\n  currency: ${currency}\n  retries: 3\n`;

/** In the last commit signatures grow, `discount` goes, the shape of the basket changes and so does a setting. */
export function shopRepository(): ScratchRepository {
  const repository = scratchRepository();
  const write = (files: Files) => {
    for (const [path, text] of Object.entries(files)) repository.write(path, text);
  };
  write(typescript('basket: Basket', '\nexport function discount() {\n  return 1;\n}\n', ''));
  write(python('basket', '\ndef discount():\n    return 1\n\n', ''));
  write(golang('basket Basket', '\nfunc Discount() int {\n\treturn 1\n}\n', ''));
  write({ 'shop.yaml': config('EUR'), 'README.md': 'The shop.\n' });
  repository.commit('before');
  write(typescript('basket: Basket, tax: number', '', '\n  owner: string;'));
  write(python('basket, tax', '', '\n    owner = ""'));
  write(golang('basket Basket, tax int', '', '\n\tOwner string'));
  write({ 'shop.yaml': config('USD'), 'README.md': 'The shop, with tax.\n' });
  repository.commit('after');
  return repository;
}
