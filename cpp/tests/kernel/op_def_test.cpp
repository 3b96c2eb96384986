// The five-slot contract: each missing slot is refused, by the name of the op and the slot.
#include "lucid/kernel/OpDef.h"

#include <gtest/gtest.h>

#include "lucid/core/Error.h"

namespace {

using namespace lucid;

constexpr OpSchema kSchema{
    .name = "test_op",
    .signature = "test_op(Tensor x) -> Tensor",
    .python = kInternal,
    .no_gradient_reason = "a test",
};

void infer(std::span<const Storage* const>, const Attrs&, std::vector<OutputSpec>&) {}
void kernel(const CpuCall&) {}
void vjp(const VjpContext&, std::span<const Tensor>, std::span<Tensor>) {}

std::string refusal(const OpDef& def) {
    try {
        register_op_defs({&def, 1}, "op_def_test");
    } catch (const InvalidArgument& error) {
        return error.what();
    }
    return "";
}

TEST(OpDef, AMissingSlotIsNamed) {
    OpSchema no_reason = kSchema;
    no_reason.no_gradient_reason = nullptr;
    OpSchema with_gradient = kSchema;
    with_gradient.backward_name = "TestBackward";
    OpSchema hole = kSchema;
    hole.dtypes = kFloatingDtypes;
    const Kernel call = Kernel::of_call(&kernel);
    const struct {
        OpDef def;
        const char* text;
    } cases[] = {
        {{.schema = &kSchema, .infer = &infer}, "no CPU kernel"},
        {{.schema = &kSchema, .cpu = call}, "no forward"},
        {{.schema = &kSchema, .cpu = Kernel::view()}, "no forward"},
        {{.schema = &kSchema, .cpu = Kernel::composition()}, "no forward"},
        {{.schema = &no_reason, .infer = &infer, .cpu = call}, "no gradient"},
        {{.schema = &with_gradient, .infer = &infer, .cpu = call}, "no gradient"},
        {{.schema = &kSchema, .infer = &infer, .vjp = &vjp, .cpu = call}, "no backward_name"},
        {{.schema = &hole, .infer = &infer, .cpu = call}, "no dtype_reason"},
        {{.schema = &kSchema, .cpu = Kernel::of_instruction("no such instruction")},
         "no instruction"},
    };
    for (const auto& [def, text] : cases) {
        const std::string refused = refusal(def);
        EXPECT_NE(refused.find("test_op"), std::string::npos) << text;
        EXPECT_NE(refused.find(text), std::string::npos) << refused;
    }
}

TEST(OpDef, ASecondOpOfOneNameNamesBothLibraries) {
    static constexpr OpSchema schema{
        .name = "test_twice",
        .signature = "test_twice(Tensor x) -> Tensor",
        .python = kInternal,
        .no_gradient_reason = "a test",
    };
    const OpDef def{.schema = &schema, .infer = &infer, .cpu = Kernel::of_call(&kernel)};
    register_op_defs({&def, 1}, "first_library");
    const std::string text = refusal(def);
    EXPECT_NE(text.find("first_library"), std::string::npos) << text;
    EXPECT_NE(text.find("op_def_test"), std::string::npos) << text;
}

TEST(Signature, IsTakenApart) {
    const Signature s = parse_signature(
        "op(Tensor x, int[] dim=(1, 2), *, Tensor? w=None, str mode='a', Dtype? dtype=None) -> "
        "(Tensor, Tensor)");
    EXPECT_EQ(s.name, "op");
    EXPECT_EQ(s.num_outputs, 2);
    ASSERT_EQ(s.args.size(), 5u);
    EXPECT_EQ(s.args[1].type, ArgType::IntList);
    EXPECT_EQ(s.args[1].default_text, "(1, 2)");
    EXPECT_FALSE(s.args[1].keyword_only);
    EXPECT_TRUE(s.args[2].keyword_only);
    EXPECT_EQ(s.args[2].type, ArgType::OptionalTensor);
    EXPECT_EQ(parse_signature("op(Tensor[] xs) -> Tensor[]").num_outputs, -1);
    for (const char* bad : {"op", "op(Tensor x)", "op(Matrix x) -> Tensor", "op(Tensor) -> Tensor",
                            "op(Tensor x) -> Number"}) {
        EXPECT_THROW(parse_signature(bad), InvalidArgument) << bad;
    }
}

}  // namespace
