#include <agon/error.hpp>

#include "catch.hpp"
#include "design/seats.hpp"

using agon::design::GaloisField;

TEST_CASE("finite fields obey the axioms", "[design]") {
  for (const int order : {2, 3, 4, 5, 7, 8, 9, 11, 13, 16}) {
    INFO("order " << order);
    const GaloisField f(order);
    bool lawful = true;
    for (int a = 0; a < order; ++a) {
      lawful = lawful && f.add(a, 0) == a && f.multiply(a, 1) == a && f.multiply(a, 0) == 0;
      int opposites = 0;
      int inverses = 0;
      for (int b = 0; b < order; ++b) {
        const int sum = f.add(a, b);
        const int product = f.multiply(a, b);
        lawful = lawful && sum >= 0 && sum < order && product >= 0 && product < order;
        lawful = lawful && sum == f.add(b, a) && product == f.multiply(b, a);
        if (sum == 0) ++opposites;
        if (product == 1) ++inverses;
        for (int c = 0; c < order; ++c) {
          lawful = lawful && f.add(sum, c) == f.add(a, f.add(b, c));
          lawful = lawful && f.multiply(product, c) == f.multiply(a, f.multiply(b, c));
          lawful = lawful && f.multiply(a, f.add(b, c)) == f.add(product, f.multiply(a, c));
        }
      }
      lawful = lawful && opposites == 1 && inverses == (a == 0 ? 0 : 1);
    }
    CHECK(lawful);
  }
}

TEST_CASE("orders without a field are refused", "[design]") {
  for (const int order : {-3, 0, 1, 6, 10, 12, 14, 15, 18, 25}) {
    CHECK_FALSE(GaloisField::exists(order));
    CHECK_THROWS_AS(GaloisField(order), agon::Error);
  }
  CHECK_THROWS_WITH(GaloisField(6),
                    "there is no field with 6 elements here; "
                    "use a prime, 4, 8, 9 or 16");
}
