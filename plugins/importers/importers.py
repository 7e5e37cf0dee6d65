"""The importers that come with Agon, in one process: the other files of this folder."""

import alympics_water  # noqa: F401
import amazon_history_price  # noqa: F401
import aucarena  # noqa: F401
import deal_or_no_deal  # noqa: F401
import golden_balls  # noqa: F401
import llm_auctions  # noqa: F401
import llm_auctions_ebay  # noqa: F401
